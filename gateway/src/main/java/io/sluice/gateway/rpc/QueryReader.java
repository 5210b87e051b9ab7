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
 * Turns the member {@code query} of a message into the query of the request target. It fails as soon as the
 * query exceeds the request line, or the number of parameters that is accepted over HTTP.
 */
final class QueryReader {
    /** The most members and elements, including nulls, which become no parameter. */
    private static final int MAX_PARAMETERS = 1024;
    /**
     * The most bytes of JSON for each character of the target: an escape takes 6, the rest is for white
     * space.
     */
    private static final int MAX_JSON_PER_CHARACTER = 16;

    private final JsonParser json;
    private final QueryStringEncoder target;
    private final Set<String> names = new HashSet<>();
    private int parameters;
    /** Characters of the target that are left, not percent-encoded. */
    private int room;

    private QueryReader(JsonParser json, String path, int room) {
        this.json = json;
        this.room = room - path.length();
        target = new QueryStringEncoder(path);
    }

    /**
     * Appends a query to a path.
     *
     * @param query valid JSON; stays the caller's
     * @param room for the target, in characters before percent-encoding
     * @return the target, which can be longer than {@code room} once it is percent-encoded
     * @throws HttpException 400 if the query is not an object of strings, numbers, booleans and arrays of
     *     these, or has too many; 414 if it is too long
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
            // Valid JSON fails for unpaired surrogates in names alone.
            throw bad("query (expected: an object without unpaired surrogates)");
        }
    }

    /** Returns the error for a target that exceeds the request line. */
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
        // Plus 2 for "?" or "&" and "=".
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
