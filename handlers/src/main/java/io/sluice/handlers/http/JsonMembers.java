package io.sluice.handlers.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.handlers.HttpException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;

/** The members of a flat JSON object, as texts. */
final class JsonMembers {

    private JsonMembers() {
    }

    /**
     * Reads a body that must be one JSON object of texts, numbers, booleans and nulls; nulls are left
     * out. 400 where it is anything else.
     *
     * @param body stays its owner's
     */
    static Map<String, String> of(ByteBuf body) {
        try (InputStream in = new ByteBufInputStream(body.duplicate());
                JsonParser json = Json.FACTORY.createParser(ObjectReadContext.empty(), in)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw notAnObject("a JSON object");
            }
            var members = new HashMap<String, String>();
            while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = json.currentName();
                JsonToken value = json.nextToken();
                if (value.isStructStart()) {
                    throw HttpException.badParameter(name, json.getString(),
                            "a text, number, boolean or null");
                }
                if (value != JsonToken.VALUE_NULL) {
                    members.put(name, json.getString());
                }
            }
            if (json.nextToken() != null) {
                throw notAnObject("one JSON object and nothing after it");
            }
            return members;
        } catch (JacksonException e) {
            throw notAnObject("a JSON object; column %d is wrong".formatted(e.getLocation().getColumnNr()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static HttpException notAnObject(String expected) {
        return new HttpException(HttpResponseStatus.BAD_REQUEST, "body (expected: " + expected + ')');
    }
}
