package io.sluice.gateway.filter;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.config.CompressionConfig;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ExchangeWrapper;
import io.sluice.handlers.Filter;
import io.sluice.handlers.Relayed;
import io.sluice.handlers.ResponseStream;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.message.ArrayResponse;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compresses the responses of a route for clients that accept it. A streamed response is compressed by the
 * thread that writes it, a whole one by the thread that sends it; an event loop compresses whole bodies of up
 * to 64 KiB.
 */
public final class Compression implements Filter {
    private static final Logger log = LoggerFactory.getLogger(Compression.class);
    private static final Pattern ASCII_NUMBER = Pattern.compile("[0-9]{1,18}");
    /** Bytes that an event loop compresses in about a millisecond. */
    private static final int MAX_ON_LOOP = 64 * 1024;
    /** The unavailable codings that have been logged. */
    private static final Set<ContentCoding> MISSED = ConcurrentHashMap.newKeySet();

    private final List<ContentCoding> codings;
    private final Compressible compressible;

    private Compression(List<ContentCoding> codings, Compressible compressible) {
        this.codings = codings;
        this.compressible = compressible;
    }

    /**
     * Creates the filter of a route, with the available ones of the configured codings. Loads native
     * libraries, so it blocks.
     */
    public static Compression of(CompressionConfig config) {
        List<ContentCoding> codings = config.encodings().stream().map(ContentCoding::of).toList();
        for (ContentCoding coding : codings) {
            Throwable missing = coding.missing();
            if (missing != null && MISSED.add(coding)) {
                log.info("responses are not compressed with {}, which this machine lacks: {}", coding,
                        missing.toString());
            }
        }
        return new Compression(codings.stream().filter(coding -> coding.missing() == null).toList(),
                new Compressible(config.minSize().bytes(), config.types()));
    }

    /** Returns a list of all codings for the start-up report; those that this machine lacks are marked. */
    public static String encodings() {
        return Stream.of(ContentCoding.values())
                .map(coding -> coding.missing() == null ? coding.toString() : "not " + coding)
                .collect(Collectors.joining(", "));
    }

    @Override
    public RouteHandler around(RouteHandler next) {
        return codings.isEmpty() ? next : exchange -> {
            HttpHeaders headers = exchange.headers();
            if (headers.contains(HttpHeaderNames.IF_NONE_MATCH)
                    || headers.contains(HttpHeaderNames.IF_MATCH)) {
                ContentCoding selected = selected(exchange.request());
                exchange.attr(Exchange.CODING).set(selected == null ? null : selected.toString());
            }
            next.handle(new Compressed(exchange));
        };
    }

    /** An exchange whose response is compressed. */
    private final class Compressed extends ExchangeWrapper {

        Compressed(Exchange exchange) {
            super(exchange);
        }

        @Override
        public boolean respond(FullHttpResponse response) {
            return Compression.this.respond(wrapped(), response);
        }

        @Override
        public @Nullable ResponseStream stream(HttpResponse head) {
            return Compression.this.stream(wrapped(), head);
        }
    }

    private boolean respond(Exchange exchange, FullHttpResponse response) {
        int size = ArrayResponse.length(response);
        // A handler may state the length of a body that it does not send for HEAD.
        long length = size == 0 && isHead(exchange) ? declaredLength(response) : size;
        ContentCoding coding = coding(exchange, response, length);
        if (coding == null || size > MAX_ON_LOOP && exchange.eventLoop().inEventLoop()) {
            return exchange.respond(response);
        }
        return size == 0 && isHead(exchange) ? respondHead(exchange, response, coding)
                : exchange.respond(compressed(exchange, response, coding));
    }

    /**
     * Responds with the head that GET would get if its body becomes shorter, except for the unknown length
     * (RFC 9110 section 9.3.2).
     */
    private static boolean respondHead(Exchange exchange, FullHttpResponse response, ContentCoding coding) {
        HttpResponse head = response instanceof Relayed ? new RelayedHead(response)
                : new DefaultHttpResponse(response.protocolVersion(), response.status(), response.headers());
        response.release();
        mark(head.headers(), coding);
        ResponseStream stream = exchange.stream(head);
        if (stream != null) {
            stream.end();
        }
        return stream != null;
    }

    private static FullHttpResponse compressed(Exchange exchange, FullHttpResponse response,
                                               ContentCoding coding) {
        ByteBuf body;
        try {
            body = coding.compress(response.content(), exchange.alloc());
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            log.error("a response could not be compressed with {}", coding, e);
            return response;
        }
        if (body.readableBytes() >= response.content().readableBytes()) {
            body.release();
            return response;
        }
        response.release();
        mark(response.headers(), coding);
        return response instanceof Relayed ? new RelayedResponse(response, body)
                : new DefaultFullHttpResponse(response.protocolVersion(), response.status(), body,
                        response.headers(), response.trailingHeaders());
    }

    /** The head of another server's response. */
    private static final class RelayedHead extends DefaultHttpResponse implements Relayed {
        RelayedHead(HttpResponse response) {
            super(response.protocolVersion(), response.status(), response.headers());
        }
    }

    /** The compressed response of another server. */
    private static final class RelayedResponse extends DefaultFullHttpResponse implements Relayed {
        RelayedResponse(FullHttpResponse response, ByteBuf body) {
            super(response.protocolVersion(), response.status(), body, response.headers(),
                    response.trailingHeaders());
        }
    }

    /** Begins a streamed response, on the thread that will write it. */
    private @Nullable ResponseStream stream(Exchange exchange, HttpResponse head) {
        ContentCoding coding = coding(exchange, head, declaredLength(head));
        if (coding != null && isHead(exchange)) {
            mark(head.headers(), coding);
        } else if (coding != null && CompressorPlaces.tryTake(exchange.clientNetwork())) {
            return streamCompressed(exchange, head, coding);
        }
        return exchange.stream(head);
    }

    /** Returns the length that a handler has stated, in bytes; -1 if absent or malformed. */
    private static long declaredLength(HttpResponse head) {
        try {
            return HttpUtil.getContentLength(head, -1L);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private static @Nullable ResponseStream streamCompressed(Exchange exchange, HttpResponse head,
                                                             ContentCoding coding) {
        mark(head.headers(), coding);
        ResponseStream stream = null;
        try {
            stream = exchange.stream(head);
        } finally {
            if (stream == null) {
                CompressorPlaces.giveBack(exchange.clientNetwork());
            }
        }
        if (stream == null) {
            return null;
        }
        var compressed = new CompressedStream(exchange, stream, coding, head instanceof Relayed,
                () -> CompressorPlaces.giveBack(exchange.clientNetwork()));
        exchange.onLoop(() -> exchange.onAbort(compressed::abandon));
        return compressed;
    }

    /** Returns the coding for a response, null for none; adds Vary where this depends on the request. */
    private @Nullable ContentCoding coding(Exchange exchange, HttpResponse head, long length) {
        boolean notModified = head.status().equals(HttpResponseStatus.NOT_MODIFIED);
        boolean partial = head.status().equals(HttpResponseStatus.PARTIAL_CONTENT);
        if (notModified ? isOfPlain(exchange)
                : !compressible.includes(head, partial ? wholeLength(head) : length)) {
            return null;
        }
        Vary.on(HttpHeaderNames.ACCEPT_ENCODING, head.headers());
        if (partial) {
            return null; // a range of the uncompressed bytes
        }
        HttpRequest request = exchange.request();
        ContentCoding coding = selected(request);
        if (notModified && coding != null) {
            // They would be those of the uncompressed representation (RFC 9110 section 8.6).
            head.headers().remove(HttpHeaderNames.CONTENT_LENGTH).remove(HttpHeaderNames.ACCEPT_RANGES);
            if (!knowsStrong(request, head)) {
                weaken(head.headers());
            }
        }
        return notModified ? null : coding;
    }

    /** Returns whether a 304 is known to stand for a response that is never compressed. */
    private boolean isOfPlain(Exchange exchange) {
        HttpResponse whole = exchange.hasAttr(Exchange.UNMODIFIED)
                ? exchange.attr(Exchange.UNMODIFIED).get() : null;
        return whole != null && !compressible.includes(whole, declaredLength(whole));
    }

    /** Returns the coding that a client prefers; null for none. */
    private @Nullable ContentCoding selected(HttpRequest request) {
        // In HTTP/1.0, the end of a body without a length looks like a broken connection.
        return request.protocolVersion().equals(HttpVersion.HTTP_1_0) ? null
                : new AcceptEncoding(request.headers().getAll(HttpHeaderNames.ACCEPT_ENCODING)).best(codings);
    }

    /** Returns the complete length of a partial response (RFC 9110 section 14.4), in bytes; -1 if unknown. */
    private static long wholeLength(HttpResponse part) {
        String range = part.headers().get(HttpHeaderNames.CONTENT_RANGE, "");
        String whole = range.substring(range.lastIndexOf('/') + 1);
        return ASCII_NUMBER.matcher(whole).matches() ? Long.parseLong(whole) : -1;
    }

    private static void mark(HttpHeaders headers, ContentCoding coding) {
        headers.set(HttpHeaderNames.CONTENT_ENCODING, coding.toString());
        headers.remove(HttpHeaderNames.CONTENT_LENGTH);
        // The compressed bytes have no ranges.
        headers.remove(HttpHeaderNames.ACCEPT_RANGES);
        weaken(headers);
    }

    /**
     * Weakens the entity tag: a strong one stands for one encoding, a weak one for all (RFC 9110 section
     * 8.8.3.3).
     */
    private static void weaken(HttpHeaders headers) {
        String tag = headers.get(HttpHeaderNames.ETAG);
        if (tag != null && !tag.startsWith("W/")) {
            headers.set(HttpHeaderNames.ETAG, "W/" + tag);
        }
    }

    /** Returns whether a client has sent only the strong tag, and so has a plain response. */
    private static boolean knowsStrong(HttpRequest request, HttpResponse head) {
        String strong = head.headers().get(HttpHeaderNames.ETAG, "");
        String tags = String.join(",", request.headers().getAll(HttpHeaderNames.IF_NONE_MATCH));
        return tags.contains(strong) && !tags.contains("W/" + strong);
    }

    private static boolean isHead(Exchange exchange) {
        return exchange.request().method().equals(HttpMethod.HEAD);
    }
}
