package io.sluice.gateway.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.gateway.exchange.RequestHead;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Parses a message, in steps. It scans the message to its end even if a member is invalid, so that the error
 * response carries the message's id. It parses only members that are as short as a request line must be.
 */
final class MessageParser {
    /** The longest id, in characters. */
    private static final int MAX_ID = 128;
    /** In bytes. Longer names are unknown even if every character is escaped. */
    private static final int MAX_NAME = 64;
    /** More members than are defined, so that the id is found even in a message with unknown ones. */
    private static final int MAX_MEMBERS = 16;
    private static final String LINE_WITHOUT_TARGET = "  HTTP/1.1";

    private final ByteBuf text;
    private final HttpHeaders inherited;
    private final int maxRequestLine;
    private final ObjectScanner scanner;
    private final Set<Member> seen = EnumSet.noneOf(Member.class);
    private int members;
    private String id = "null";
    private String method = HttpMethod.GET.name();
    private @Nullable String path;
    private @Nullable ByteBuf query;
    private @Nullable ByteBuf body;
    private String after = "";
    private @Nullable String unsubscribe;
    private @Nullable HttpException problem;

    private enum Member {
        ID, METHOD, PATH, QUERY, BODY, SUBSCRIBE, AFTER, UNSUBSCRIBE;

        private static final Map<String, Member> BY_NAME = Arrays.stream(values()).collect(
                Collectors.toMap(member -> member.name().toLowerCase(Locale.ROOT), Function.identity()));

        static Member named(ByteBuf name) {
            String text = name.readableBytes() > MAX_NAME ? "a long name" : JsonTexts.string(name);
            Member member = BY_NAME.get(text);
            if (member == null) {
                throw bad(text + ": unknown (expected: id, method, path, query, body, subscribe, after or"
                        + " unsubscribe)");
            }
            return member;
        }
    }

    /**
     * A parser of one message.
     *
     * @param text stays the caller's, who keeps it until it is read
     * @param inherited headers that every request gets
     * @param maxRequestLine in characters, as if the request had arrived over HTTP/1.1
     */
    MessageParser(ByteBuf text, HttpHeaders inherited, int maxRequestLine) {
        this.text = text;
        this.inherited = inherited;
        this.maxRequestLine = maxRequestLine;
        scanner = new ObjectScanner(text, this::found);
    }

    /**
     * Scans the next bytes.
     *
     * @param most how many at most
     * @return whether the scan is complete, or need not continue because of an error
     */
    boolean scan(int most) {
        try {
            return scanner.scan(most);
        } catch (HttpException e) {
            problem = problem == null ? e : problem;
            return true;
        }
    }

    /** Returns the scanned message. To be called once: the caller owns the body. */
    RpcMessage message() {
        if (problem == null) {
            try {
                requireOneKind();
                return valid();
            } catch (HttpException e) {
                problem = e;
            }
        }
        return new RpcMessage.Invalid(id, placeholder(), problem);
    }

    private RpcMessage valid() {
        if (unsubscribe != null) {
            return new RpcMessage.Unsubscribe(id, placeholder(), unsubscribe);
        }
        HttpRequest head = head();
        String normalised = RequestHead.path(head);
        return seen.contains(Member.SUBSCRIBE) ? new RpcMessage.Subscribe(id, head, normalised, after)
                : new RpcMessage.Request(id, head, normalised, body == null ? null : copied(body));
    }

    /** Returns a copy, as a slice would retain the whole message for as long as the request runs. */
    private static ByteBuf copied(ByteBuf part) {
        int length = part.readableBytes();
        return part.alloc().buffer(length).writeBytes(part, part.readerIndex(), length);
    }

    /** Refuses members that do not go together. */
    private void requireOneKind() {
        boolean subscribes = seen.contains(Member.SUBSCRIBE);
        if (seen.contains(Member.AFTER) && !subscribes) {
            throw bad("after (expected: beside subscribe only)");
        }
        if (subscribes && (seen.contains(Member.PATH) || seen.contains(Member.METHOD)
                || seen.contains(Member.BODY) || id.equals("null"))) {
            throw bad("subscribe (expected: an id, no path, method or body)");
        }
        if (unsubscribe != null && seen.size() > (seen.contains(Member.ID) ? 2 : 1)) {
            throw bad("unsubscribe (expected: no other member but id)");
        }
    }

    private HttpRequest placeholder() {
        return new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/bad-request", inherited.copy());
    }

    private void found(int nameFrom, int nameTo, int valueFrom, int valueTo) {
        if (++members > MAX_MEMBERS) {
            throw bad("message (expected: at most " + MAX_MEMBERS + " members)");
        }
        try {
            take(slice(nameFrom, nameTo), slice(valueFrom, valueTo));
        } catch (HttpException e) {
            problem = problem == null ? e : problem;
        }
    }

    private ByteBuf slice(int from, int to) {
        return text.slice(text.readerIndex() + from, to - from);
    }

    private void take(ByteBuf name, ByteBuf value) {
        Member member = Member.named(name);
        if (!seen.add(member)) {
            throw bad(JsonTexts.string(name) + ": twice (expected: each member once)");
        }
        switch (member) {
            case ID -> id = isNull(value) ? id : id("id", value);
            case METHOD -> method = isNull(value) ? method : text("method", value);
            case PATH -> path = text("path", value);
            case QUERY -> query = isNull(value) ? null : value;
            case BODY -> body = value;
            case SUBSCRIBE -> path = text("subscribe", value);
            case AFTER -> after = isNull(value) ? "" : text("after", value);
            case UNSUBSCRIBE -> unsubscribe = id("unsubscribe", value);
        }
    }

    private static String id(String name, ByteBuf value) {
        boolean isText = isText(value);
        boolean scalar = isText || isNumber(value);
        if (!scalar || JsonTexts.isLongerThan(MAX_ID, value)
                || (isText ? JsonTexts.string(value).length() : value.readableBytes()) > MAX_ID) {
            throw bad(name + " (expected: a text or number of at most " + MAX_ID + " characters"
                    + (name.equals("id") ? ", or null)" : ")"));
        }
        return value.toString(StandardCharsets.UTF_8);
    }

    private String text(String name, ByteBuf value) {
        if (!isText(value)) {
            throw bad(name + " (expected: a text)");
        }
        if (JsonTexts.isLongerThan(maxRequestLine, value)) {
            throw QueryReader.tooLong();
        }
        return JsonTexts.string(value);
    }

    private static boolean isText(ByteBuf value) {
        return first(value) == '"';
    }

    private static boolean isNumber(ByteBuf value) {
        return first(value) == '-' || Character.isDigit(first(value));
    }

    private static boolean isNull(ByteBuf value) {
        return first(value) == 'n';
    }

    private static byte first(ByteBuf value) {
        return value.getByte(value.readerIndex());
    }

    private HttpRequest head() {
        if (path == null || !path.startsWith("/")) {
            throw bad("path: " + (path == null ? "missing" : path) + " (expected: one that begins with /)");
        }
        if (path.indexOf('?') >= 0) {
            throw bad("path: a ? in it (expected: %3F, or what is behind it as the member query)");
        }
        int room = maxRequestLine - method.length() - LINE_WITHOUT_TARGET.length();
        String target = query == null ? path : QueryReader.target(path, query, room);
        if (target.length() > room) {
            throw QueryReader.tooLong();
        }
        HttpRequest head;
        try {
            head = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.valueOf(method), target,
                    inherited.copy());
        } catch (IllegalArgumentException _) {
            throw bad("an invalid character in the method or path");
        }
        if (body != null) {
            head.headers().set(HttpHeaderNames.CONTENT_TYPE, Json.MEDIA_TYPE);
            head.headers().set(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
        }
        return head;
    }

    private static HttpException bad(String detail) {
        return new HttpException(HttpResponseStatus.BAD_REQUEST, detail);
    }
}
