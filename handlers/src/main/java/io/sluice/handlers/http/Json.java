package io.sluice.handlers.http;

import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.util.AsciiString;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.util.Map;
import tools.jackson.core.JsonEncoding;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** The one JSON factory, and what configuration values look like in JSON. */
public final class Json {
    /** The media type, RFC 8259 section 11. */
    public static final AsciiString MEDIA_TYPE = HttpHeaderValues.APPLICATION_JSON;

    /** Strict: what RFC 8259 says, with limits to nesting, names and numbers. Any thread. */
    public static final JsonFactory FACTORY = new JsonFactory();

    private Json() {
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
