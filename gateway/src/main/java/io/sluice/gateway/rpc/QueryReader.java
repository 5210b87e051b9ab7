package io.sluice.gateway.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringEncoder;
import io.sluice.handlers.HttpException;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.StreamConstraintsException;

/**
 * A reader of a message's member {@code query}, which makes it the query of a request's target. It stops
 * where that outgrows a request line, or has more parameters than are taken over HTTP.
 */
final class QueryReader {
    /** Members and elements, nulls included, which make no parameter. */
    private static final int MAX_PARAMETERS = 1024;
    /** Bytes of JSON for each character of the target: an escape takes 6, the rest is space. */
    private static final int MAX_JSON_PER_CHARACTER = 16;

    private final JsonParser json;
    private final QueryStringEncoder target;
    private final Set<String> names = new HashSet<>();
    private int parameters;
    /** Characters that may still come, before they are percent-encoded. */
    private int room;

    private QueryReader(JsonParser json, String path, int room) {
        this.json = json;
        this.room = room - path.length();
        target = new QueryStringEncoder(path);
    }

    /**
     * Appends a query to a path.
     *
     * @param query valid JSON; stays its owner's
     * @param room for the target, in characters; percent-encoded it can still be longer
     * @throws HttpException 400 where it is no object of texts, numbers, booleans and arrays of those, or one
     *     of too many; 414 where it is too long
     */
    static String target(String path, ByteBuf query, int room) {
        if (query.getByte(query.readerIndex()) != '{') {
            throw bad("query (expected: an object)");
        }
        if (query.readableBytes() > (long) MAX_JSON_PER_CHARACTER * room) {
            throw tooLong();
        }
        try (JsonParser json = JsonTexts.parser(query)) {
            return new QueryReader(json, path, room).target();
        } catch (StreamConstraintsException _) {
            throw bad("query (expected: an object whose names and numbers are not as long as that)");
        } catch (JacksonException _) {
            // Nothing else is wrong with names in valid JSON.
            throw bad("query (expected: an object without half characters)");
        }
    }

    /** What is answered where a target outgrows its request line. */
    static HttpException tooLong() {
        return new HttpException(HttpResponseStatus.REQUEST_URI_TOO_LONG,
                "path and query (expected: no more than a request line holds; server.max-request-line)");
    }

    private String target() {
        json.nextToken();
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = json.currentName();
            if (!names.add(name)) {
                throw bad(name + ": twice (expected: each member once)");
            }
            count();
            switch (json.nextToken()) {
                case VALUE_NULL -> { }
                case START_ARRAY -> {
                    while (json.nextToken() != JsonToken.END_ARRAY) {
                        count();
                        parameter(name);
                    }
                }
                default -> parameter(name);
            }
        }
        return target.toString();
    }

    private void count() {
        if (++parameters > MAX_PARAMETERS) {
            throw bad("query (expected: at most " + MAX_PARAMETERS + " members and elements)");
        }
    }

    private void parameter(String name) {
        if (!json.currentToken().isScalarValue() || json.currentToken() == JsonToken.VALUE_NULL) {
            throw bad("query." + name + " (expected: a text, number or boolean, or an array of those)");
        }
        // Each takes a ? or & and a =.
        room -= name.length() + json.getStringLength() + 2;
        if (room < 0) {
            throw tooLong();
        }
        target.addParam(name, JsonTexts.requireUnicode(json.getString()));
    }

    private static HttpException bad(String detail) {
        return new HttpException(HttpResponseStatus.BAD_REQUEST, detail);
    }
}
