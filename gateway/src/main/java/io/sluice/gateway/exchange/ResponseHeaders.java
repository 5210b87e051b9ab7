package io.sluice.gateway.exchange;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.util.AsciiString;
import io.sluice.config.ServerConfig;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.Relayed;
import io.sluice.handlers.message.FlatHeaders;
import io.sluice.handlers.message.HeaderField;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Sets the header fields that all responses have: framing, persistence, request id, Date, Server, and
 * X-Content-Type-Options, so that browsers trust the Content-Type.
 */
public final class ResponseHeaders {
    public static final AsciiString X_REQUEST_ID = AsciiString.cached("x-request-id");
    private static final AsciiString STRICT_TRANSPORT_SECURITY =
            AsciiString.cached("strict-transport-security");
    private static final HeaderField REQUEST_ID = new HeaderField(X_REQUEST_ID, "");
    private static final HeaderField DATE = new HeaderField(HttpHeaderNames.DATE, "");
    private static final HeaderField CONTENT_LENGTH = new HeaderField(HttpHeaderNames.CONTENT_LENGTH, "0");
    /** Forbids content sniffing (the Fetch standard, "X-Content-Type-Options header"). */
    private static final HeaderField NO_SNIFF =
            new HeaderField(AsciiString.cached("x-content-type-options"), AsciiString.cached("nosniff"));

    /** Ready-made Content-Length fields for small bodies. */
    private static final HeaderField[] SMALL = IntStream.range(0, 1024)
            .mapToObj(length -> CONTENT_LENGTH.with(AsciiString.cached(Integer.toString(length))))
            .toArray(HeaderField[]::new);

    /** The fields that are the same in every response of the listener. */
    private final List<HeaderField> constant = new ArrayList<>();
    private final @Nullable HeaderField strictTransport;
    private final int maxRequests;
    private final LongSupplier clock;
    /** The fields of the second of the latest call. */
    private volatile Lines latest = new Lines(DATE, new byte[0]);

    /**
     * The fields that {@link #setCommonFields} sets.
     *
     * @param bytes all of them as sent over HTTP/1
     */
    private record Lines(HeaderField date, byte[] bytes) {
    }

    /**
     * Creates the header fields of a listener's responses.
     *
     * @param hsts how long browsers shall use https only (RFC 6797); empty for no such header field
     * @param clock milliseconds since 1970
     */
    public ResponseHeaders(ServerConfig config, Optional<Duration> hsts, LongSupplier clock) {
        this.clock = clock;
        if (!config.serverHeader().isEmpty()) {
            constant.add(new HeaderField(HttpHeaderNames.SERVER, AsciiString.cached(config.serverHeader())));
        }
        strictTransport = hsts.map(time -> new HeaderField(STRICT_TRANSPORT_SECURITY,
                AsciiString.cached("max-age=" + time.toSeconds()))).orElse(null);
        if (strictTransport != null) {
            constant.add(strictTransport);
        }
        constant.add(NO_SNIFF);
        maxRequests = config.maxRequestsPerConnection();
    }

    /** Returns whether a connection that has had so many requests may have another. */
    public boolean mayFollow(long requests) {
        return maxRequests == 0 || requests < maxRequests;
    }

    /**
     * Checks an informational response (RFC 9110 section 15.2).
     *
     * @throws IllegalArgumentException if the status is not informational, or is 101, which ends the
     *     exchange, or if header fields are malformed
     */
    public static void requireInformational(HttpResponse head) {
        HttpResponseStatus status = head.status();
        if (status.codeClass() != HttpStatusClass.INFORMATIONAL
                || status.code() == HttpResponseStatus.SWITCHING_PROTOCOLS.code()) {
            throw new IllegalArgumentException("status: " + status.code() + " (expected: 100..199, not 101)");
        }
        HeaderField.requireValid(head.headers());
    }

    /**
     * Completes the head of a response over HTTP/1, except for the lines of {@link #commonLines}.
     *
     * @param length of the body in bytes, -1 if unknown
     * @param mayKeepAlive whether the connection can carry another request
     * @return whether the connection stays open
     */
    public boolean complete(Exchange exchange, HttpResponse answer, long length, boolean mayKeepAlive) {
        HttpRequest request = exchange.request();
        HttpHeaders headers = answer.headers();
        boolean http10 = request.protocolVersion().minorVersion() == 0;
        boolean keepAlive = mayKeepAlive && HttpUtil.isKeepAlive(request) && (length >= 0 || !http10)
                && !headers.contains(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE, true);
        frame(request, answer, length);
        if (http10) {
            headers.remove(HttpHeaderNames.TRAILER); // none can come, as there are no chunks
        }
        if (!keepAlive) {
            setPersistence(headers, HttpHeaderValues.CLOSE);
        } else if (http10) {
            setPersistence(headers, HttpHeaderValues.KEEP_ALIVE);
        }
        setRequestId(exchange.requestId(), headers);
        return keepAlive;
    }

    /** Keeps the option "upgrade", which has to accompany Upgrade (RFC 9110 section 7.8). */
    private static void setPersistence(HttpHeaders headers, AsciiString option) {
        boolean upgrade = headers.contains(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE, true);
        headers.set(HttpHeaderNames.CONNECTION, upgrade ? option.concat(", upgrade") : option);
    }

    /**
     * Completes the head of a response on an HTTP/2 stream, whose frames mark the end of the body.
     *
     * @param length of the body in bytes, -1 if unknown
     */
    public void completeOnStream(Exchange exchange, HttpResponse answer, long length) {
        frame(exchange.request(), answer, length);
        setCommonFields(answer);
        setRequestId(exchange.requestId(), answer.headers());
    }

    /** Sets X-Request-Id. */
    public static void setRequestId(String requestId, HttpHeaders headers) {
        set(headers, REQUEST_ID.with(requestId));
    }

    /**
     * Like {@link #setCommonFields(HttpHeaders)}; of a {@link Relayed} response only Date and
     * Strict-Transport-Security, and if missing.
     */
    public void setCommonFields(HttpResponse answer) {
        if (!(answer instanceof Relayed)) {
            setCommonFields(answer.headers());
            return;
        }
        setIfMissing(answer.headers(), latest().date);
        if (strictTransport != null) {
            setIfMissing(answer.headers(), strictTransport);
        }
    }

    private static void setIfMissing(HttpHeaders headers, HeaderField field) {
        if (!headers.contains(field.name())) {
            set(headers, field);
        }
    }

    /** Sets Server, Date, X-Content-Type-Options and, if configured, Strict-Transport-Security. */
    public void setCommonFields(HttpHeaders headers) {
        setCommonFields(headers, latest().date);
    }

    private void setCommonFields(HttpHeaders headers, HeaderField date) {
        for (HeaderField field : constant) {
            set(headers, field);
        }
        set(headers, date);
    }

    /**
     * Returns the fields of {@link #setCommonFields} as lines of HTTP/1, with the empty line at the end of a
     * head. The array is shared: callers must not change it.
     */
    public byte[] commonLines() {
        return latest().bytes;
    }

    private Lines latest() {
        AsciiString date = HttpDate.at(clock.getAsLong());
        Lines lines = latest;
        if (lines.date.value() != date) {
            HeaderField field = DATE.with(date);
            lines = new Lines(field, bytes(field));
            latest = lines;
        }
        return lines;
    }

    private byte[] bytes(HeaderField date) {
        var headers = new FlatHeaders(4);
        setCommonFields(headers, date);
        return headers.entries().stream().map(field -> field.getKey() + ": " + field.getValue() + "\r\n")
                .collect(Collectors.joining("", "", "\r\n")).getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Returns whether a handler has set any of the fields of {@link #setCommonFields}. */
    public static boolean hasCommonField(HttpHeaders headers) {
        return headers.contains(HttpHeaderNames.SERVER) || headers.contains(HttpHeaderNames.DATE)
                || headers.contains(STRICT_TRANSPORT_SECURITY) || headers.contains(NO_SNIFF.name());
    }

    /** Sets a field that is known to be valid. */
    private static void set(HttpHeaders headers, HeaderField field) {
        if (headers instanceof FlatHeaders flat) {
            flat.set(field);
        } else {
            headers.set(field.name(), field.value());
        }
    }

    /** Sets the framing of the body (RFC 9112 section 6), and replaces that of the handler. */
    private static void frame(HttpRequest request, HttpResponse answer, long length) {
        HttpHeaders headers = answer.headers();
        if (length < 0 && request.protocolVersion().minorVersion() > 0) {
            headers.set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        } else {
            // HTTP/2 has no chunks, and neither has HTTP/1.0, where a body of unknown length ends with the
            // connection.
            headers.remove(HttpHeaderNames.TRANSFER_ENCODING);
        }
        if (length < 0) {
            headers.remove(HttpHeaderNames.CONTENT_LENGTH);
        } else if (!lengthIsSet(request, answer)) {
            set(headers, length(length));
        }
    }

    private static HeaderField length(long length) {
        return length < SMALL.length ? SMALL[(int) length]
                : CONTENT_LENGTH.with(AsciiString.of(Long.toString(length)));
    }

    /**
     * Returns whether Content-Length states the length of the body that GET would have got, as in responses
     * to HEAD and in 304 (RFC 9110 section 8.6), or is that of another server, and has been checked.
     */
    private static boolean lengthIsSet(HttpRequest request, HttpResponse answer) {
        return answer.status().code() == HttpResponseStatus.NOT_MODIFIED.code()
                || answer.headers().contains(HttpHeaderNames.CONTENT_LENGTH)
                && (answer instanceof Relayed || request.method().equals(HttpMethod.HEAD));
    }
}
