package io.sluice.handlers.json;

import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.util.AsciiString;
import io.sluice.handlers.HttpException;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonEncoding;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/** Parsers and generators of JSON, rules for JSON from clients, and configuration values as JSON. */
public final class Json {
    /** The media type, RFC 8259 section 11. */
    public static final AsciiString MEDIA_TYPE = HttpHeaderValues.APPLICATION_JSON;

    private static final int MAX_NAME = 1024;

    /** Strict RFC 8259, with limits of nesting, names and numbers. Thread-safe. */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder().maxNameLength(MAX_NAME).build()).build();

    /**
     * A part of a value that is JSON already.
     *
     * @param text of one JSON value
     */
    public record Raw(String text) {
    }

    private Json() {
    }

    /** Returns whether a Content-Type is JSON: {@code application/json}, {@code application/…+json}. */
    public static boolean isMediaType(String contentType) {
        CharSequence type = HttpUtil.getMimeType(contentType);
        String name = type == null ? "" : type.toString().strip().toLowerCase(Locale.ROOT);
        return name.equals("application/json") || name.startsWith("application/") && name.endsWith("+json");
    }

    /**
     * Returns a text from a client's JSON if it is valid Unicode. An escape can be half of a surrogate pair,
     * which neither UTF-8 nor a database can represent.
     *
     * @param source the origin of the text, for the message
     * @throws HttpException 400 if the text contains half of a pair
     */
    public static String requireUnicode(String source, String text) {
        int at = 0;
        while (at < text.length()) {
            int codePoint = text.codePointAt(at);
            if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
                throw new HttpException(HttpResponseStatus.BAD_REQUEST,
                        source + " (expected: a JSON object without unpaired surrogates)");
            }
            at += Character.charCount(codePoint);
        }
        return text;
    }

    /** Returns a parser of UTF-8; closing it closes the stream. */
    public static JsonParser parser(InputStream in) {
        return forgetful().createParser(ObjectReadContext.empty(), in);
    }

    /** Returns a parser of a text. */
    public static JsonParser parser(String text) {
        return forgetful().createParser(ObjectReadContext.empty(), text);
    }

    /**
     * Returns a factory for one parser. A factory keeps thousands of the names that its parsers have read,
     * which clients could choose to fill the heap.
     */
    private static JsonFactory forgetful() {
        return FACTORY.rebuild().build();
    }

    /** Returns whether a text is one JSON value. */
    public static boolean isValue(String text) {
        try (JsonParser json = parser(text)) {
            boolean isValue = json.nextToken() != null;
            json.skipChildren();
            return isValue && json.nextToken() == null;
        } catch (JacksonException e) {
            return false;
        }
    }

    /** Returns a generator of UTF-8; closing it closes the stream. */
    public static JsonGenerator generator(OutputStream out) {
        return FACTORY.createGenerator(ObjectWriteContext.empty(), out, JsonEncoding.UTF8);
    }

    /** Returns a map, list, text, number, boolean, null or {@link Raw} as JSON. */
    public static byte[] bytes(Object value) {
        var bytes = new ByteArrayOutputStream();
        write(bytes, value);
        return bytes.toByteArray();
    }

    /** Writes a value as {@link #bytes} does, and closes the stream. */
    public static void write(OutputStream out, Object value) {
        try (JsonGenerator json = generator(out)) {
            write(json, value);
        }
    }

    private static void write(JsonGenerator json, Object value) {
        switch (value) {
            case null -> json.writeNull();
            case Map<?, ?> map -> {
                json.writeStartObject();
                map.forEach((name, member) -> {
                    json.writeName(name.toString());
                    write(json, member);
                });
                json.writeEndObject();
            }
            case Iterable<?> list -> {
                json.writeStartArray();
                list.forEach(element -> write(json, element));
                json.writeEndArray();
            }
            case Boolean bool -> json.writeBoolean(bool);
            case Integer number -> json.writeNumber(number);
            case Long number -> json.writeNumber(number);
            case Double number -> json.writeNumber(number);
            case BigDecimal number -> json.writeNumber(number);
            case Raw raw -> json.writeRawValue(raw.text());
            default -> json.writeString(value.toString());
        }
    }
}
