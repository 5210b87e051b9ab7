package io.sluice.handlers.files;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.concurrent.Future;
import io.sluice.config.HandlerConfig;
import io.sluice.config.type.PathTemplate;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.message.FlatHeaders;
import io.sluice.offload.Offload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Serves files. A worker finds and opens a file, evaluates conditions and range, and reads a part of up to
 * 64 KiB. A larger part is sent in pieces: see {@link FileBody}.
 *
 * <p>Statuses: 301 for a directory without a slash, 304 and 412 by the request's conditions, 206 and 416 for
 * a range (of GET only: RFC 9110 section 14.2), 404 for a file that is not served, 503 if no worker is
 * available.
 */
public final class FilesHandler implements RouteHandler {
    /** In bytes: a part up to this size is read at once, into a complete response. */
    private static final int SMALL = 64 * 1024;

    private final HandlerConfig.Files config;
    private final int skip;
    private final FileTree tree;
    private final Offload pool;
    private final KeptFiles kept;

    /**
     * Creates a handler for a route of kind {@code files}.
     *
     * @param path the route's path, which ends with {@code **}
     * @param kept the open files of this and other routes
     */
    public FilesHandler(HandlerConfig.Files config, PathTemplate path, Offload pool, KeptFiles kept) {
        this.config = config;
        this.pool = pool;
        this.kept = kept;
        skip = path.segments().size() - 1;
        tree = new FileTree(Path.of(config.directory()), config.index());
    }

    @Override
    public void handle(Exchange exchange) {
        String path = exchange.path();
        RequestedPath requested = RequestedPath.of(path, skip);
        HttpRequest request = exchange.request();
        Future<@Nullable FileBody> found = pool.submit(exchange.clientNetwork(), exchange.deadline(),
                exchange.eventLoop(), _ -> {
            OpenFile file = tree.open(requested);
            if (file == null) {
                String location = Location.ofDirectory(path, request.uri());
                respond(exchange, HttpResponseStatus.MOVED_PERMANENTLY, Unpooled.EMPTY_BUFFER,
                        new FlatHeaders(3).set(HttpHeaderNames.LOCATION, location));
                return null;
            }
            FileBody body = null;
            try {
                body = answer(exchange, requested, file);
                return body;
            } finally {
                if (body == null) {
                    file.close(); // otherwise the body owns it
                }
            }
        });
        exchange.onAbort(() -> found.cancel(false));
        found.addListener(done -> {
            if (!done.isSuccess()) {
                exchange.fail(done.cause());
            } else if (found.getNow() != null) {
                found.getNow().send(config.zeroCopy());
            }
        });
    }

    /**
     * Responds, or prepares a body. On a worker.
     *
     * @return the body to be sent in pieces, which owns the file; null if the response is complete
     */
    private @Nullable FileBody answer(Exchange exchange, RequestedPath requested,
                                      OpenFile file) throws IOException {
        HttpRequest request = exchange.request();
        Instant now = Instant.now();
        var state = Validators.of(file.size(), file.changed(), now);
        var conditions = new Conditions(request.headers());
        HttpHeaders headers = validators(state);
        String type = ContentTypes.of(requested.fileName(config.index()));
        if (conditions.notModified(state)) {
            notModified(exchange, headers, type, file.size());
            return null;
        }
        describe(headers, type, state.lastModified(), now);
        if (request.method().equals(HttpMethod.HEAD)) {
            headers.set(HttpHeaderNames.CONTENT_LENGTH, file.size());
            respond(exchange, HttpResponseStatus.OK, Unpooled.EMPTY_BUFFER, headers);
            return null;
        }
        ByteRange range = conditions.range(state, file.size());
        ByteRange part = range == null ? new ByteRange(0, file.size()) : range;
        HttpResponseStatus status = HttpResponseStatus.OK;
        if (range != null) {
            headers.set(HttpHeaderNames.CONTENT_RANGE, range.contentRange(file.size()));
            status = HttpResponseStatus.PARTIAL_CONTENT;
        }
        if (part.length() <= SMALL) {
            respond(exchange, status, file.read(exchange.alloc(), part.from(), (int) part.length()), headers);
            return null;
        }
        headers.set(HttpHeaderNames.CONTENT_LENGTH, part.length());
        var head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status, headers);
        var served = new ServedFile(tree, requested, file, kept, exchange.eventLoop());
        return new FileBody(exchange, pool, head, served, part);
    }

    /** Returns the header fields that a 304 has, too (RFC 9110 section 15.4.5). */
    private HttpHeaders validators(Validators state) {
        HttpHeaders headers = new FlatHeaders(8);
        if (state.lastModified() != null) {
            headers.set(HttpHeaderNames.ETAG, state.tag());
        }
        config.cacheControl().ifPresent(value -> headers.set(HttpHeaderNames.CACHE_CONTROL, value));
        return headers;
    }

    private static void notModified(Exchange exchange, HttpHeaders headers, String type, long size) {
        exchange.attr(Exchange.UNMODIFIED).set(new DefaultHttpResponse(HttpVersion.HTTP_1_1,
                HttpResponseStatus.OK, headers.copy().set(HttpHeaderNames.CONTENT_TYPE, type)
                        .set(HttpHeaderNames.CONTENT_LENGTH, size)));
        respond(exchange, HttpResponseStatus.NOT_MODIFIED, Unpooled.EMPTY_BUFFER, headers);
    }

    /** Adds the header fields that a 304 lacks. */
    private static void describe(HttpHeaders headers, String type, @Nullable Instant changed, Instant now) {
        if (changed != null) {
            headers.set(HttpHeaderNames.LAST_MODIFIED, HttpDates.format(Validators.shown(changed, now)));
        }
        headers.set(HttpHeaderNames.ACCEPT_RANGES, HttpHeaderValues.BYTES)
                .set(HttpHeaderNames.CONTENT_TYPE, type);
    }

    private static void respond(Exchange exchange, HttpResponseStatus status, ByteBuf body,
                                HttpHeaders headers) {
        exchange.respond(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body, headers,
                EmptyHttpHeaders.INSTANCE));
    }
}
