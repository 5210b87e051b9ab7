package io.sluice.handlers.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.handlers.HttpException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;

/** Reads the members with certain names from a flat JSON object, as texts. */
public final class JsonMembers {
    /** The largest body, in bytes, that may be read on an event loop: at most about a millisecond of work. */
    public static final int MOST_ON_LOOP = 16 * 1024;

    private static final int MAX_MEMBERS = 1024;

    private final Set<String> wanted;

    /** Creates a reader of the members with these names. */
    public JsonMembers(Set<String> wanted) {
        this.wanted = Set.copyOf(wanted);
    }

    /**
     * Accepts uncompressed bodies with the Content-Type of JSON ({@code application/json},
     * {@code application/…+json}) or without any; 415 for others.
     */
    static void requireJson(HttpHeaders request) {
        requireUncoded(request);
        String contentType = request.get(HttpHeaderNames.CONTENT_TYPE);
        if (contentType != null && !Json.isMediaType(contentType)) {
            throw new HttpException(HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE, "%s: %s (expected: %s)"
                    .formatted(HttpHeaderNames.CONTENT_TYPE, contentType, Json.MEDIA_TYPE));
        }
    }

    /** Rejects bodies with a Content-Encoding, as none is decoded here: 415 (RFC 9110 section 12.5.3). */
    public static void requireUncoded(HttpHeaders request) {
        for (String coding : request.getAll(HttpHeaderNames.CONTENT_ENCODING)) {
            if (!HttpHeaderValues.IDENTITY.contentEqualsIgnoreCase(coding.strip())) {
                throw new HttpException(HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE,
                        "content-encoding: %s (expected: none)".formatted(coding))
                        .with(HttpHeaderNames.ACCEPT_ENCODING, HttpHeaderValues.IDENTITY);
            }
        }
    }

    /**
     * Reads a body that must be a JSON object in UTF-8 of texts, numbers, booleans and nulls, with at most
     * 1,024 members and no duplicate names; 400 for anything else. A null equals a missing member, and no
     * body equals an empty object. On an event loop only up to {@link #MOST_ON_LOOP}.
     *
     * @param body owned by the caller
     * @return the wanted members that are present
     */
    public Map<String, String> of(ByteBuf body) {
        if (!body.isReadable()) {
            return Map.of();
        }
        requireUtf8(body);
        try (InputStream in = new ByteBufInputStream(body.duplicate());
                JsonParser json = Json.FACTORY.createParser(ObjectReadContext.empty(), in)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw refusal("a JSON object");
            }
            Map<String, String> members = members(json);
            if (json.nextToken() != null) {
                throw refusal("one JSON object and nothing after it");
            }
            return members;
        } catch (JacksonException e) {
            // There is no location if a name, number or text exceeds a limit of Jackson.
            throw refusal(e.getLocation() == null ? "a JSON object; something in it is too long"
                    : "a JSON object; column %d is wrong".formatted(e.getLocation().getColumnNr()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Rejects encodings that the parser accepts, but RFC 8259 section 8.1 does not: overlong UTF-8, and
     * UTF-16 and UTF-32, in which every JSON text contains a zero byte.
     */
    private static void requireUtf8(ByteBuf body) {
        boolean zero = body.indexOf(body.readerIndex(), body.writerIndex(), (byte) 0) >= 0;
        if (zero || !Utf8Validator.isValid(body)) {
            throw refusal("a JSON object in UTF-8");
        }
    }

    private Map<String, String> members(JsonParser json) {
        var names = new HashSet<String>();
        var members = new HashMap<String, String>();
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = json.currentName();
            if (!names.add(name)) {
                throw refusal("a JSON object that names each member once");
            }
            if (names.size() > MAX_MEMBERS) {
                throw refusal("a JSON object of at most " + MAX_MEMBERS + " members");
            }
            JsonToken value = json.nextToken();
            if (value.isStructStart()) {
                throw HttpException.badParameter(name, json.getString(), "a text, number, boolean or null");
            }
            if (value != JsonToken.VALUE_NULL && wanted.contains(name)) {
                members.put(name, Json.requireUnicode("body", json.getString()));
            }
        }
        return members;
    }

    private static HttpException refusal(String expected) {
        return new HttpException(HttpResponseStatus.BAD_REQUEST, "body (expected: " + expected + ')');
    }
}
