package io.sluice.handlers.http;

import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.util.AsciiString;
import io.sluice.handlers.HttpException;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.util.Locale;
import java.util.Map;
import tools.jackson.core.JsonEncoding;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** The one JSON factory, the rules for JSON that comes in, and configuration values as JSON. */
public final class Json {
    /** The media type, RFC 8259 section 11. */
    public static final AsciiString MEDIA_TYPE = HttpHeaderValues.APPLICATION_JSON;

    /** Strict: what RFC 8259 says, with limits to nesting, names and numbers. Any thread. */
    public static final JsonFactory FACTORY = new JsonFactory();

    private Json() {
    }

    /** Tells whether a Content-Type is that of JSON: {@code application/json}, {@code application/…+json}. */
    public static boolean isMediaType(String contentType) {
        CharSequence type = HttpUtil.getMimeType(contentType);
        String name = type == null ? "" : type.toString().strip().toLowerCase(Locale.ROOT);
        return name.equals("application/json") || name.startsWith("application/") && name.endsWith("+json");
    }

    /**
     * Returns a text of JSON that has come in. An escape can be half of a surrogate pair, which neither UTF-8
     * nor a database can hold.
     *
     * @param source of the text, for the message
     * @throws HttpException 400 where half of a pair is in it
     */
    public static String requireUnicode(String source, String text) {
        int at = 0;
        while (at < text.length()) {
            int codePoint = text.codePointAt(at);
            if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
                throw new HttpException(HttpResponseStatus.BAD_REQUEST,
                        source + " (expected: a JSON object without half characters)");
            }
            at += Character.charCount(codePoint);
        }
        return text;
    }

    /** Writes UTF-8 to a stream; closing the generator closes the stream. */
    public static JsonGenerator generator(OutputStream out) {
        return FACTORY.createGenerator(ObjectWriteContext.empty(), out, JsonEncoding.UTF8);
    }

    /** Maps, lists, texts, numbers, booleans and null as JSON. */
    public static byte[] bytes(Object value) {
        var bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = generator(bytes)) {
            write(json, value);
        }
        return bytes.toByteArray();
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
            default -> json.writeString(value.toString());
        }
    }
}
