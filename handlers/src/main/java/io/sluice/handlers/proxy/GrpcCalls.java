package io.sluice.handlers.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.util.AsciiString;
import io.netty.util.AttributeKey;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.Filter;
import io.sluice.handlers.MessageProtocol;
import io.sluice.handlers.Relayed;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.TimeLimits;
import io.sluice.handlers.json.Json;
import io.sluice.handlers.message.FlatHeaders;
import io.sluice.handlers.upstream.UpstreamException;
import io.sluice.handlers.upstream.http2.StreamReset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Rules for calls of gRPC over HTTP/2: their deadline is in the field grpc-timeout, and they fail by a status
 * of their own in a response that is a 200 for HTTP. The outermost filter of a proxy's route, so that calls
 * that another filter refuses fail in this way, too.
 */
public final class GrpcCalls implements Filter {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();
    private static final AsciiString CONTENT_TYPE = AsciiString.cached("application/grpc");
    private static final AsciiString WEB = AsciiString.cached("application/grpc-web");
    private static final AsciiString WEB_TEXT = AsciiString.cached("application/grpc-web-text");
    /** Characters that may follow a type: before its format, or before parameters. */
    private static final String BEHIND_TYPE = "+; \t";
    private static final AsciiString TIMEOUT = AsciiString.cached("grpc-timeout");
    private static final AsciiString STATUS = AsciiString.cached("grpc-status");
    private static final AsciiString MESSAGE = AsciiString.cached("grpc-message");
    /** The status of a call whose stream the endpoint has reset. */
    private static final AttributeKey<Integer> STATUS_OF_RESET =
            AttributeKey.valueOf(GrpcCalls.class, "STATUS_OF_RESET");
    private static final int MAX_DIGITS = 8;
    private static final long MAX_MILLIS = 99_999_999;
    /** Deadlines that are further away are none. */
    private static final Duration MAX_DEADLINE = Duration.ofDays(365);

    @Override
    public RouteHandler around(RouteHandler next) {
        return exchange -> {
            if (is(exchange)) {
                begin(exchange);
            }
            next.handle(exchange);
        };
    }

    /** Returns whether a request is a call of gRPC, which needs HTTP/2, or of gRPC-Web. */
    static boolean is(Exchange exchange) {
        return ProxyHandler.isOfHttp2(exchange) && endsByTrailers(exchange.headers())
                || isOfWeb(exchange.headers());
    }

    private static boolean isOfWeb(HttpHeaders headers) {
        return is(headers, WEB) || is(headers, WEB_TEXT);
    }

    private static boolean is(HttpHeaders headers, AsciiString type) {
        String stated = headers.get(HttpHeaderNames.CONTENT_TYPE);
        int end = type.length();
        return stated != null && stated.regionMatches(true, 0, type.toString(), 0, end)
                && (stated.length() == end || BEHIND_TYPE.indexOf(stated.charAt(end)) >= 0);
    }

    /** Lowers the time limit of a call to its own, and lets it fail as a call. */
    private static void begin(Exchange exchange) {
        timeout(exchange.headers().get(TIMEOUT))
                .ifPresent(timeout -> exchange.limitTime(TimeLimits.ofTotal(timeout)));
        exchange.onResponse(response -> {
            if (endsByTrailers(exchange, response)) {
                exchange.attr(MessageProtocol.ERROR_TRAILERS).set(error ->
                        failure(exchange, error, error.reasonPhrase(), new FlatHeaders(2)));
            } else if (!(response instanceof Relayed) && response instanceof FullHttpResponse whole
                    && whole.status().code() >= HttpResponseStatus.BAD_REQUEST.code()) {
                fail(exchange, whole);
            }
        });
    }

    /** Returns whether an endpoint's response has its status in trailers. */
    private static boolean endsByTrailers(Exchange exchange, HttpResponse response) {
        return response instanceof Relayed && ProxyHandler.isOfHttp2(exchange)
                && endsByTrailers(response.headers()) && !HttpUtil.isContentLengthSet(response);
    }

    /** Returns whether the fields are those of gRPC, not of gRPC-Web, whose status is in the body. */
    static boolean endsByTrailers(HttpHeaders headers) {
        return is(headers, CONTENT_TYPE);
    }

    /** Notes why the upstream has failed, before a call does. */
    static void failing(Exchange exchange, UpstreamException failure) {
        if (failure.getCause() instanceof StreamReset reset) {
            exchange.attr(STATUS_OF_RESET).set(status(reset));
        }
    }

    /** Returns the duration in a field such as {@code 100m}; empty without a valid one below a year. */
    static Optional<Duration> timeout(@Nullable String value) {
        if (value == null || !value.matches("[0-9]{1," + MAX_DIGITS + "}[HMSmun]")) {
            return Optional.empty();
        }
        long number = Long.parseLong(value, 0, value.length() - 1, 10);
        Duration timeout = switch (value.charAt(value.length() - 1)) {
            case 'H' -> Duration.ofHours(number);
            case 'M' -> Duration.ofMinutes(number);
            case 'S' -> Duration.ofSeconds(number);
            case 'm' -> Duration.ofMillis(number);
            case 'u' -> Duration.ofNanos(number * 1000);
            default -> Duration.ofNanos(number);
        };
        return timeout.compareTo(MAX_DEADLINE) < 0 ? Optional.of(timeout) : Optional.empty();
    }

    /** Replaces the client's deadline by what is left of the exchange's. */
    static void setTimeout(Exchange exchange, FlatHeaders headers) {
        headers.remove(TIMEOUT);
        long left = exchange.deadline().remainingNanos();
        if (left < MAX_DEADLINE.toNanos()) {
            long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(left));
            headers.add(TIMEOUT, millis <= MAX_MILLIS ? millis + "m"
                    : TimeUnit.MILLISECONDS.toSeconds(millis) + "S");
        }
    }

    /** Turns an error response of the gateway itself into a failed call: its status in fields, no body. */
    private static void fail(Exchange exchange, FullHttpResponse response) {
        String message = message(response.content());
        response.content().clear();
        failure(exchange, response.status(), message == null ? response.status().reasonPhrase() : message,
                response.headers().set(HttpHeaderNames.CONTENT_TYPE, typeOfFailure(exchange.headers())));
        response.setStatus(HttpResponseStatus.OK);
    }

    /** Returns the type of the request for gRPC-Web, whose clients refuse any other. */
    private static CharSequence typeOfFailure(HttpHeaders request) {
        return isOfWeb(request) ? request.get(HttpHeaderNames.CONTENT_TYPE).split(";", 2)[0].strip()
                : CONTENT_TYPE;
    }

    private static HttpHeaders failure(Exchange exchange, HttpResponseStatus status, String message,
                                       HttpHeaders to) {
        Integer ofReset = exchange.hasAttr(STATUS_OF_RESET) ? exchange.attr(STATUS_OF_RESET).get() : null;
        return to.set(STATUS, ofReset == null ? status(status) : ofReset).set(MESSAGE, encoded(message));
    }

    /** Returns the status for one of HTTP, as clients would conclude; but a deadline is a deadline. */
    private static int status(HttpResponseStatus status) {
        return switch (status.code()) {
            case 400 -> 13; // INTERNAL
            case 401 -> 16; // UNAUTHENTICATED
            case 403 -> 7; // PERMISSION_DENIED
            case 404 -> 12; // UNIMPLEMENTED
            case 408, 504 -> 4; // DEADLINE_EXCEEDED
            case 413, 431 -> 8; // RESOURCE_EXHAUSTED
            case 429, 502, 503 -> 14; // UNAVAILABLE
            default -> 2; // UNKNOWN
        };
    }

    /** Returns the status for a reset, by the section "Errors" of the specification of gRPC over HTTP/2. */
    private static int status(StreamReset reset) {
        return switch (reset.error()) {
            case CANCEL -> 1; // CANCELLED
            case INADEQUATE_SECURITY -> 7; // PERMISSION_DENIED
            case ENHANCE_YOUR_CALM -> 8; // RESOURCE_EXHAUSTED
            case REFUSED_STREAM -> 14; // UNAVAILABLE
            case null, default -> 13; // INTERNAL
        };
    }

    /** Returns the detail of a problem (RFC 9457); null if there is none. */
    private static @Nullable String message(ByteBuf problem) {
        try (JsonParser json = Json.parser(new ByteBufInputStream(problem.duplicate()))) {
            for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                if (token == JsonToken.PROPERTY_NAME && json.currentName().equals("detail")) {
                    json.nextToken();
                    return json.getString();
                }
            }
            return null;
        } catch (JacksonException e) {
            return null;
        }
    }

    /** Returns a text with all but printable ASCII, and {@code %}, as bytes of UTF-8 in hexadecimal. */
    private static String encoded(String message) {
        var encoded = new StringBuilder(message.length());
        for (byte octet : message.getBytes(StandardCharsets.UTF_8)) {
            if (octet >= ' ' && octet <= '~' && octet != '%') {
                encoded.append((char) octet);
            } else {
                encoded.append('%').append(HEX.toHighHexDigit(octet)).append(HEX.toLowHexDigit(octet));
            }
        }
        return encoded.toString();
    }
}
