package io.sluice.handlers.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.sluice.handlers.HttpException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;

/** The members of a flat JSON object, as texts. */
public final class JsonMembers {

    private JsonMembers() {
    }

    /**
     * Accepts JSON ({@code application/json}, {@code application/…+json}) and bodies that do not say what
     * they are; 415 for the rest. Browsers send the rest to other people's sites without asking.
     *
     * @param contentType the request's Content-Type, or null
     */
    static void requireJson(String contentType) {
        if (contentType == null) {
            return;
        }
        CharSequence type = HttpUtil.getMimeType(contentType);
        String name = type == null ? "" : type.toString().strip().toLowerCase(Locale.ROOT);
        boolean json = name.equals("application/json")
                || name.startsWith("application/") && name.endsWith("+json");
        if (!json) {
            throw new HttpException(HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE, "%s: %s (expected: %s)"
                    .formatted(HttpHeaderNames.CONTENT_TYPE, contentType, Json.MEDIA_TYPE));
        }
    }

    /**
     * Reads a body that must be one JSON object of texts, numbers, booleans and nulls, each named once. A
     * null is as good as a member left out, and no body as good as an empty object. 400 where it is
     * anything else.
     *
     * @param body stays its owner's
     */
    public static Map<String, String> of(ByteBuf body) {
        if (!body.isReadable()) {
            return Map.of();
        }
        try (InputStream in = new ByteBufInputStream(body.duplicate());
                JsonParser json = Json.FACTORY.createParser(ObjectReadContext.empty(), in)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw notAnObject("a JSON object");
            }
            var members = new HashMap<String, String>();
            while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = json.currentName();
                if (members.containsKey(requireUnicode(name))) {
                    throw notAnObject("a JSON object that names each member once");
                }
                members.put(name, value(name, json));
            }
            if (json.nextToken() != null) {
                throw notAnObject("one JSON object and nothing after it");
            }
            return members;
        } catch (JacksonException e) {
            // Without a location where a name, number or text is longer than Jackson takes.
            throw notAnObject(e.getLocation() == null ? "a JSON object; something in it is too long"
                    : "a JSON object; column %d is wrong".formatted(e.getLocation().getColumnNr()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String value(String name, JsonParser json) {
        JsonToken token = json.nextToken();
        if (token == JsonToken.VALUE_NULL) {
            return null;
        }
        String text = json.getString();
        if (token.isStructStart()) {
            throw HttpException.badParameter(name, text, "a text, number, boolean or null");
        }
        return requireUnicode(text);
    }

    /** An escape can be half of a surrogate pair, which neither UTF-8 nor a database can hold. */
    private static String requireUnicode(String text) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw notAnObject("a JSON object without half characters");
        }
        return text;
    }

    private static HttpException notAnObject(String expected) {
        return new HttpException(HttpResponseStatus.BAD_REQUEST, "body (expected: " + expected + ')');
    }
}
