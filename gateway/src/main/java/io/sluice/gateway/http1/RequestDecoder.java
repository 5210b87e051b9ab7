package io.sluice.gateway.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.sluice.config.ServerConfig;
import io.sluice.gateway.limits.DirectMemory;
import io.sluice.gateway.limits.RequestMemory;
import io.sluice.gateway.net.ConnectionEvent;
import io.sluice.gateway.net.ReadAhead;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.message.ChunkedBody;
import io.sluice.handlers.message.Cumulation;
import io.sluice.handlers.message.FlatHeaders;
import io.sluice.handlers.message.SmallPieces;
import io.sluice.handlers.message.Trailers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decodes requests while input is wanted. {@link ChunkedBody} decodes chunked bodies. Heads that are large
 * count in {@link RequestMemory} until they are complete.
 */
final class RequestDecoder extends StrictHeadDecoder {
    private static final int MAX_CHUNK = 64 * 1024;

    /** Initial capacity for header fields. Growing costs no more than a larger initial capacity. */
    private static final int FEW = 2;
    private static final HttpHeadersFactory FLAT = new HttpHeadersFactory() {
        @Override
        public HttpHeaders newHeaders() {
            return new FlatHeaders(FEW);
        }

        @Override
        public HttpHeaders newEmptyHeaders() {
            return new FlatHeaders(FEW);
        }
    };

    private final ServerConfig config;
    private final ReadAhead readAhead;
    private Part next = Part.HEAD;
    /** The request's body if it is chunked; else null. */
    private @Nullable ChunkedBody chunks;

    /** The bytes of the lines of the present head. */
    private int headBytes;
    /** The bytes that count in {@link RequestMemory#UNFINISHED}, until the head is complete. */
    private int counted;

    /** NOTHING: a request was refused, and input is dropped. */
    private enum Part { HEAD, BODY, CHUNKS, NOTHING }

    /**
     * Creates a decoder.
     *
     * @param readAhead decoding stops while this is paused, as one read may hold thousands of requests, each
     *     of which takes many times its bytes
     */
    RequestDecoder(ServerConfig config, ReadAhead readAhead) {
        super(new HttpDecoderConfig()
                .setHeadersFactory(FLAT)
                .setTrailersFactory(ChunkedBody.NO_TRAILERS)
                .setMaxInitialLineLength(config.maxRequestLine().intBytes())
                .setMaxHeaderSize(config.maxHeaderBlock().intBytes())
                .setMaxChunkSize(MAX_CHUNK), config.maxHeaders());
        this.config = config;
        this.readAhead = readAhead;
        setCumulator(Cumulation.CUMULATOR);
    }

    /** Removes the decoder with the part of a head that it may hold, unless the connection is closed. */
    static void removeFrom(ChannelPipeline pipeline) {
        if (pipeline.get(RequestDecoder.class) != null) {
            pipeline.remove(RequestDecoder.class);
        }
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
        if (readAhead.pauseDecoder()) {
            return;
        }
        switch (next) {
            case CHUNKS -> {
                decodeChunks(in, out);
                SmallPieces.join(ctx.alloc(), in, out, () -> decodeChunks(in, out));
            }
            case BODY -> super.decode(ctx, in, out);
            case NOTHING -> in.skipBytes(in.readableBytes());
            default -> decodeHead(ctx, in, out);
        }
        if (!out.isEmpty()) {
            follow(out.getLast());
        } else if (in.isReadable() && DirectMemory.isShort()) {
            // The rest of this head would take more memory. The request is rejected when the shortage is
            // reported.
            ctx.channel().config().setAutoRead(false);
        }
    }

    private void decodeHead(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
        int begin = in.readerIndex();
        decodeStrictly(ctx, in, out);
        headBytes += in.readerIndex() - begin;
        if (isInHead() && out.isEmpty()) {
            count(ctx, out);
        }
    }

    /** Counts the head so far, or replaces it by one that is refused, if there is no room for it. */
    private void count(ChannelHandlerContext ctx, List<Object> out) throws Exception {
        int bytes = headBytes + headerLines() * RequestMemory.FIELD + (hasGrown() ? lineBuffer() : 0);
        if (bytes <= RequestMemory.SMALL || bytes == counted) {
            return;
        }
        if (RequestMemory.UNFINISHED.tryTake(bytes - counted)) {
            counted = bytes;
            return;
        }
        reset();
        decodeLast(ctx, Unpooled.EMPTY_BUFFER, out); // resets now, not when more input comes
        next = Part.NOTHING;
        HttpMessage refused = createInvalidMessage();
        refused.setDecoderResult(DecoderResult.failure(RequestMemory.refusal()));
        out.add(refused);
    }

    private void giveBack() {
        RequestMemory.UNFINISHED.giveBack(counted);
        counted = 0;
        headBytes = 0;
    }

    private void decodeChunks(ByteBuf in, List<Object> out) {
        HttpContent content = chunks == null ? null : chunks.next(in);
        if (content != null) {
            out.add(content);
            if (content instanceof LastHttpContent && content.decoderResult().isSuccess()) {
                reset(); // Netty still waits for the first chunk
            }
        }
    }

    private void follow(Object decoded) {
        if (isInHead()) {
            giveBack();
        }
        if (((HttpObject) decoded).decoderResult().isFailure()) {
            return; // further input is dropped
        }
        endHead();
        if (decoded instanceof HttpRequest request) {
            boolean chunked = request.headers().contains(HttpHeaderNames.TRANSFER_ENCODING);
            chunks = chunked ? new ChunkedBody(config.maxHeaderBlock().intBytes(), config.maxHeaders(),
                    Trailers::mayHold) : null;
            next = chunked ? Part.CHUNKS : Part.BODY;
        } else if (decoded instanceof LastHttpContent && next != Part.HEAD) { // writing costs more
            next = Part.HEAD;
        }
    }

    private boolean hasGrown() {
        return lineBuffer() > RequestMemory.SMALL;
    }

    /**
     * Replaces this decoder between two requests, since the buffer for lines never shrinks. The next decoder
     * gets the rest of the input.
     */
    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
        super.channelReadComplete(ctx);
        if (hasGrown() && next == Part.HEAD && !isInHead() && !ctx.isRemoved()) {
            ctx.pipeline().replace(this, null, new RequestDecoder(config, readAhead));
        }
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext ctx) throws Exception {
        giveBack();
        super.handlerRemoved0(ctx);
    }

    /** Returns whether a message stands for a request for whose head there was no memory. */
    static boolean isRefused(Object message) {
        return message instanceof HttpObject part && part.decoderResult().cause() instanceof HttpException;
    }

    /** Returns whether a request has arrived in part. */
    boolean hasBegun() {
        return isInHead() || next != Part.HEAD || actualReadableBytes() > 0;
    }

    /**
     * Ignores a shortage of direct memory between two requests: the connection holds no input, and the client
     * may just be sending its next request.
     */
    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
        if (hasBegun() || !(event instanceof ConnectionEvent.MemoryShort memory) || memory.heap()) {
            super.userEventTriggered(ctx, event);
        }
    }
}
