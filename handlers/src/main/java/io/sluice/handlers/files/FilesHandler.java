package io.sluice.handlers.files;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCounted;
import io.netty.util.concurrent.Future;
import io.sluice.config.HandlerConfig;
import io.sluice.config.PathTemplate;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.RouteHandler;
import io.sluice.offload.Offload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;

/**
 * Answers with files. A worker finds and opens one, says what of it is the answer, and reads that where it is
 * small. What is larger is sent piece by piece: see {@link FileBody}.
 *
 * <p>301 for a directory without a slash, 304 and 412 as the request's conditions say, 206 and 416 for a
 * range (of GET alone: RFC 9110 section 14.2), 404 for what is not served, 503 where no worker takes it.
 */
public final class FilesHandler implements RouteHandler {
    /** In bytes: read when it is opened, and answered whole. */
    private static final int SMALL = 64 * 1024;

    private final HandlerConfig.Files config;
    private final int skip;
    private final FileTree tree;
    private final Offload pool;

    /**
     * For a route of kind {@code files} at a path. Blocks while it looks at the directory.
     *
     * @throws IOException where that cannot be read
     */
    public FilesHandler(HandlerConfig.Files config, PathTemplate path, Offload pool) throws IOException {
        this.config = config;
        this.pool = pool;
        skip = path.segments().size() - 1;
        tree = new FileTree(Path.of(config.directory()), config.index());
    }

    @Override
    public void handle(Exchange exchange) {
        RequestedPath requested = RequestedPath.of(exchange.path(), skip);
        HttpRequest request = exchange.request();
        Future<ReferenceCounted> found = pool.submit(exchange.deadline(), exchange.eventLoop(),
                _ -> find(requested, request, exchange.path(), exchange.alloc()));
        exchange.onAbort(() -> found.cancel(false));
        found.addListener(done -> {
            if (!done.isSuccess()) {
                exchange.fail(done.cause());
            } else if (found.getNow() instanceof FileBody body) {
                body.send(exchange, pool, config.zeroCopy());
            } else {
                exchange.respond((FullHttpResponse) found.getNow());
            }
        });
    }

    /** Runs on a worker. What it returns is released where nobody waits for it any more. */
    private ReferenceCounted find(RequestedPath requested, HttpRequest request, String path,
                                  ByteBufAllocator alloc) throws IOException {
        OpenFile file = tree.open(requested);
        if (file == null) {
            HttpHeaders headers = new DefaultHttpHeaders()
                    .set(HttpHeaderNames.LOCATION, Location.ofDirectory(path, request.uri()));
            return answer(HttpResponseStatus.MOVED_PERMANENTLY, Unpooled.EMPTY_BUFFER, headers);
        }
        try {
            return answer(file, ContentTypes.of(requested.fileName(config.index())), request, alloc);
        } finally {
            file.release();
        }
    }

    private ReferenceCounted answer(OpenFile file, String type, HttpRequest request, ByteBufAllocator alloc)
            throws IOException {
        var state = Validators.of(file.size(), file.changed(), Instant.now());
        var conditions = new Conditions(request.headers());
        HttpHeaders headers = new DefaultHttpHeaders();
        headers.set(HttpHeaderNames.ETAG, state.tag());
        config.cacheControl().ifPresent(value -> headers.set(HttpHeaderNames.CACHE_CONTROL, value));
        if (conditions.notModified(state)) {
            return answer(HttpResponseStatus.NOT_MODIFIED, Unpooled.EMPTY_BUFFER, headers);
        }
        headers.set(HttpHeaderNames.LAST_MODIFIED, HttpDates.format(state.lastModified()))
                .set(HttpHeaderNames.ACCEPT_RANGES, HttpHeaderValues.BYTES)
                .set(HttpHeaderNames.CONTENT_TYPE, type);
        if (request.method().equals(HttpMethod.HEAD)) {
            headers.set(HttpHeaderNames.CONTENT_LENGTH, file.size());
            return answer(HttpResponseStatus.OK, Unpooled.EMPTY_BUFFER, headers);
        }
        ByteRange range = conditions.range(state, file.size());
        if (range == null) {
            return answer(HttpResponseStatus.OK, file, new ByteRange(0, file.size()), headers, alloc);
        }
        headers.set(HttpHeaderNames.CONTENT_RANGE, range.contentRange(file.size()));
        return answer(HttpResponseStatus.PARTIAL_CONTENT, file, range, headers, alloc);
    }

    private static ReferenceCounted answer(HttpResponseStatus status, OpenFile file, ByteRange part,
                                           HttpHeaders headers, ByteBufAllocator alloc) throws IOException {
        if (part.length() <= SMALL) {
            return answer(status, file.read(alloc, part.from(), (int) part.length()), headers);
        }
        headers.set(HttpHeaderNames.CONTENT_LENGTH, part.length());
        var head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status, headers);
        return new FileBody(head, file.retain(), part);
    }

    private static FullHttpResponse answer(HttpResponseStatus status, ByteBuf body, HttpHeaders headers) {
        return new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body, headers,
                EmptyHttpHeaders.INSTANCE);
    }
}
