package io.sluice.gateway.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringEncoder;
import io.sluice.gateway.pipeline.RequestHead;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.http.Json;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads a message. One that is JSON is read to its end whatever is wrong with it, so that its client is told
 * by its id.
 */
final class MessageReader {
    /** In characters: logs tell paths, and others keep them. */
    private static final int MAX_PATH = 8 * 1024;
    private static final int MAX_ID = 128;

    private final ByteBuf text;
    private final JsonParser json;
    private final CharsetEncoder utf8 = StandardCharsets.UTF_8.newEncoder();
    private final Set<String> names = new HashSet<>();
    private final List<Map.Entry<String, String>> query = new ArrayList<>();
    private String id = "null";
    private String method = HttpMethod.GET.name();
    private String path;
    private ByteBuf body;
    private HttpException problem;

    private MessageReader(ByteBuf text, JsonParser json) {
        this.text = text;
        this.json = json;
    }

    /**
     * Reads a text.
     *
     * @param text stays its owner's, and is retained as long as the request's body is
     * @param inherited headers that the request has in any case
     */
    static RpcMessage read(ByteBuf text, HttpHeaders inherited) {
        try (JsonParser json = Utf8Json.parser(text)) {
            return new MessageReader(text, json).read(inherited);
        }
    }

    private RpcMessage read(HttpHeaders inherited) {
        try {
            object();
            if (problem == null) {
                HttpRequest head = head(inherited);
                return new RpcMessage(id, head, RequestHead.path(head),
                        body == null ? null : body.retain(), null);
            }
        } catch (HttpException e) {
            problem = e;
        } catch (JacksonException e) {
            problem = notJson(e);
        }
        return new RpcMessage(id, new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/bad-request",
                inherited.copy()), "", null, problem);
    }

    private static HttpException notJson(JacksonException e) {
        // Without a location where a name or number is longer than Jackson takes.
        return bad(e.getLocation() == null ? "message (expected: a JSON object; something in it is too long)"
                : "message (expected: a JSON object; column %d of line %d is wrong)"
                        .formatted(e.getLocation().getColumnNr(), e.getLocation().getLineNr()));
    }

    private void object() {
        if (!Utf8Json.isOnly(text) || json.nextToken() != JsonToken.START_OBJECT) {
            throw bad("message (expected: a JSON object)");
        }
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            try {
                member(name(names));
            } catch (HttpException e) {
                problem = problem == null ? e : problem;
                skipToMember();
            }
        }
        if (json.nextToken() != null) {
            throw bad("message (expected: one JSON object and nothing after it)");
        }
    }

    /** The current name, which must be the first such in its object. */
    private String name(Set<String> before) {
        String name = json.currentName();
        if (!before.add(name)) {
            throw bad(name + ": twice (expected: each member once)");
        }
        return name;
    }

    private void skipToMember() {
        while (json.streamReadContext().getNestingDepth() > 1) {
            json.nextToken();
        }
        if (json.currentToken() == JsonToken.PROPERTY_NAME) {
            json.nextToken();
            json.skipChildren();
        }
    }

    private void member(String name) {
        switch (name) {
            case "id" -> id(json.nextToken());
            case "method" -> method = json.nextToken() == JsonToken.VALUE_NULL ? method : text(name);
            case "path" -> {
                json.nextToken();
                path = text(name);
            }
            case "query" -> query(json.nextToken());
            case "body" -> {
                json.nextToken();
                body = value();
            }
            default -> throw bad(name + ": unknown (expected: id, method, path, query or body)");
        }
    }

    private void id(JsonToken token) {
        if (token != JsonToken.VALUE_NULL) {
            boolean scalar = token == JsonToken.VALUE_STRING || token.isNumeric();
            if (!scalar || unicode(json.getString()).length() > MAX_ID) {
                throw bad("id (expected: a text or number of at most " + MAX_ID + " characters, or null)");
            }
            id = value().toString(StandardCharsets.UTF_8);
        }
    }

    private String text(String name) {
        if (json.currentToken() != JsonToken.VALUE_STRING) {
            throw bad(name + " (expected: a text)");
        }
        return unicode(json.getString());
    }

    private void query(JsonToken token) {
        if (token == JsonToken.VALUE_NULL) {
            return;
        }
        if (token != JsonToken.START_OBJECT) {
            throw bad("query (expected: an object)");
        }
        var parameters = new HashSet<String>();
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = name(parameters);
            switch (json.nextToken()) {
                case VALUE_NULL -> { }
                case START_ARRAY -> {
                    while (json.nextToken() != JsonToken.END_ARRAY) {
                        parameter(name);
                    }
                }
                default -> parameter(name);
            }
        }
    }

    private void parameter(String name) {
        if (!json.currentToken().isScalarValue() || json.currentToken() == JsonToken.VALUE_NULL) {
            throw bad("query." + name + " (expected: a text, number or boolean, or an array of those)");
        }
        query.add(Map.entry(name, unicode(json.getString())));
    }

    /** The current value as it came: a part of the message. */
    private ByteBuf value() {
        long from = json.currentTokenLocation().getByteOffset();
        json.skipChildren();
        json.finishToken();
        long to = json.currentLocation().getByteOffset();
        return text.slice(text.readerIndex() + (int) from, (int) (to - from));
    }

    private HttpRequest head(HttpHeaders inherited) {
        if (path == null || !path.startsWith("/")) {
            throw bad("path: " + (path == null ? "missing" : path) + " (expected: one that begins with /)");
        }
        if (path.length() > MAX_PATH) {
            throw new HttpException(HttpResponseStatus.REQUEST_URI_TOO_LONG,
                    "path (expected: at most " + MAX_PATH + " characters)");
        }
        if (path.indexOf('?') >= 0) {
            throw bad("path: a ? in it (expected: %3F, or what is behind it as the member query)");
        }
        var target = new QueryStringEncoder(path);
        query.forEach(parameter -> target.addParam(parameter.getKey(), parameter.getValue()));
        HttpRequest head;
        try {
            head = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.valueOf(method), target.toString(),
                    inherited.copy());
        } catch (IllegalArgumentException _) {
            throw bad("a character in the method or path that must not be there");
        }
        if (body != null) {
            head.headers().set(HttpHeaderNames.CONTENT_TYPE, Json.MEDIA_TYPE);
            head.headers().set(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
        }
        return head;
    }

    /** An escape can be half of a surrogate pair, which UTF-8 cannot hold; in names Jackson takes none. */
    private String unicode(String text) {
        if (!utf8.canEncode(text)) {
            throw bad("message (expected: a JSON object without half characters)");
        }
        return text;
    }

    private static HttpException bad(String detail) {
        return new HttpException(HttpResponseStatus.BAD_REQUEST, detail);
    }
}
