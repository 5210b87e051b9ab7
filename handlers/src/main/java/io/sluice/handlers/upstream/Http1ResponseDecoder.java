package io.sluice.handlers.upstream;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.handlers.FlatHeaders;
import java.util.List;

/**
 * Netty's decoder with further checks: it rejects responses whose length is ambiguous (RFC 9112 section 6.3),
 * and knows the method of the request, as a response to HEAD has no body. Confined to the event loop.
 */
final class Http1ResponseDecoder extends HttpResponseDecoder {
    private static final int MAX_HEAD = 64 * 1024;
    private static final int MAX_PIECE = 64 * 1024;
    private static final HttpHeadersFactory FLAT = new HttpHeadersFactory() {
        @Override
        public HttpHeaders newHeaders() {
            return new FlatHeaders(8);
        }

        @Override
        public HttpHeaders newEmptyHeaders() {
            return new FlatHeaders(8);
        }
    };

    private HttpMethod requested = HttpMethod.GET;

    Http1ResponseDecoder() {
        super(new HttpDecoderConfig()
                .setHeadersFactory(FLAT)
                .setTrailersFactory(FLAT)
                .setMaxInitialLineLength(MAX_HEAD)
                .setMaxHeaderSize(MAX_HEAD)
                .setMaxChunkSize(MAX_PIECE));
    }

    /** Sets the method of the request to which the next response belongs. */
    void requested(HttpMethod method) {
        requested = method;
    }

    /** Returns whether undecoded bytes are left. */
    boolean hasLeftover() {
        return actualReadableBytes() > 0;
    }

    @Override
    protected boolean isContentAlwaysEmpty(HttpMessage message) {
        return requested == HttpMethod.HEAD && ((HttpResponse) message).status().code() >= 200
                || super.isContentAlwaysEmpty(message);
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
        super.decode(ctx, in, out);
        if (!out.isEmpty() && out.getLast() instanceof HttpResponse head) {
            refuseOtherCodings(head);
        }
    }

    private static void refuseOtherCodings(HttpResponse head) {
        List<String> codings = head.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
        boolean valid = codings.isEmpty() || codings.size() == 1
                && HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(codings.getFirst().strip())
                && head.protocolVersion().equals(HttpVersion.HTTP_1_1);
        if (!valid && head.decoderResult().isSuccess()) {
            head.setDecoderResult(DecoderResult.failure(new IllegalArgumentException(
                    "Transfer-Encoding: %s (expected: chunked, in HTTP/1.1)".formatted(codings))));
        }
    }

    @Override
    protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
        throw new IllegalArgumentException("both Transfer-Encoding and Content-Length");
    }
}
