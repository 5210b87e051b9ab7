package io.sluice.gateway.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.handler.codec.http.HttpObject;
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
 * Decodes requests while input is wanted. {@link ChunkedBody} decodes chunked bodies. Heads and trailers
 * count in {@link RequestMemory} as they arrive.
 */
final class RequestDecoder extends StrictHeadDecoder {
    private static final int MAX_CHUNK = 64 * 1024;
    /** The capacity of the buffer for lines above which the decoder is replaced between requests. */
    private static final int LARGE = 4 * 1024;

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
    private final RequestMemory memory;
    private Part next;
    /** The request's body if it is chunked; else null. */
    private @Nullable ChunkedBody chunks;

    /** The bytes of the lines of the present head. */
    private int headBytes;
    /** The bytes that are taken for a part of a head, or of trailers, until the request has them. */
    private int taken;
    /** The request whose body is being decoded. */
    private @Nullable ReceivedRequest request;

    /** NOTHING: a request was refused, and input is dropped. */
    private enum Part { HEAD, BODY, CHUNKS, NOTHING }

    /**
     * Creates a decoder.
     *
     * @param readAhead decoding stops while this is paused, as one read may hold thousands of requests, each
     *     of which takes many times its bytes
     */
    RequestDecoder(ServerConfig config, ReadAhead readAhead, RequestMemory memory) {
        this(config, readAhead, memory, Part.HEAD);
    }

    private RequestDecoder(ServerConfig config, ReadAhead readAhead, RequestMemory memory, Part next) {
        super(new HttpDecoderConfig()
                .setHeadersFactory(FLAT)
                .setTrailersFactory(ChunkedBody.NO_TRAILERS)
                .setMaxInitialLineLength(config.maxRequestLine().intBytes())
                .setMaxHeaderSize(config.maxHeaderBlock().intBytes())
                .setMaxChunkSize(MAX_CHUNK), config.maxHeaders());
        this.config = config;
        this.readAhead = readAhead;
        this.memory = memory;
        this.next = next;
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
            follow(out);
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
        boolean broken = !out.isEmpty() && isBroken(out.getFirst());
        if (isInHead() && !broken && !tryTake(headBytes, headerLines(), lineBuffer())) {
            if (out.isEmpty()) {
                reset();
                decodeLast(ctx, Unpooled.EMPTY_BUFFER, out); // resets now, not when more input comes
            }
            out.clear();
            out.add(refused(createInvalidMessage()));
        }
    }

    private void decodeChunks(ByteBuf in, List<Object> out) {
        if (chunks == null) {
            return;
        }
        HttpContent content = chunks.next(in);
        if (!tryTake(chunks.trailerBytes(), chunks.trailers(), 0)) {
            content = refused(new DefaultLastHttpContent());
        }
        if (content != null) {
            out.add(content);
            if (content instanceof LastHttpContent && content.decoderResult().isSuccess()) {
                reset(); // Netty still waits for the first chunk
            }
        }
    }

    /** Drops what has arrived and further input, and returns a message as one that is refused. */
    private <M extends HttpObject> M refused(M message) {
        message.setDecoderResult(DecoderResult.failure(RequestMemory.refusal()));
        next = Part.NOTHING;
        chunks = null;
        request = null;
        giveBack();
        return message;
    }

    private void giveBack() {
        memory.giveBack(taken);
        taken = 0;
    }

    /** Takes memory for lines that have arrived, if there is room. */
    private boolean tryTake(int bytes, int lines, int buffer) {
        int all = bytes + lines * RequestMemory.FIELD + buffer;
        boolean fits = memory.tryTake(all - taken);
        if (fits) {
            taken = all;
        }
        return fits;
    }

    private void follow(List<Object> out) {
        Object last = out.getLast();
        if (isBroken(last)) {
            return; // further input is dropped
        }
        if (isInHead()) {
            endHead();
            headBytes = 0;
            begin((ReceivedRequest) out.getFirst(), last);
        }
        if (last instanceof LastHttpContent && request != null) {
            handOver(request); // the trailers
            request = null;
            next = Part.HEAD;
        }
    }

    private void begin(ReceivedRequest head, Object last) {
        handOver(head);
        if (last == head) {
            request = head;
            boolean chunked = head.headers().contains(HttpHeaderNames.TRANSFER_ENCODING);
            chunks = chunked ? new ChunkedBody(config.maxHeaderBlock().intBytes(), config.maxHeaders(),
                    Trailers::mayHold) : null;
            next = chunked ? Part.CHUNKS : Part.BODY;
        }
    }

    /** Makes a request the owner of the memory that was taken. */
    private void handOver(ReceivedRequest to) {
        to.addMemory(taken);
        taken = 0;
    }

    private static boolean isBroken(Object decoded) {
        return ((HttpObject) decoded).decoderResult().isFailure();
    }

    /**
     * Replaces this decoder between two requests, or behind a refused one, since the buffer for lines never
     * shrinks. The next decoder gets the rest of the input.
     */
    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
        super.channelReadComplete(ctx);
        boolean between = next == Part.HEAD && !isInHead() || next == Part.NOTHING;
        if (lineBuffer() > LARGE && between && !ctx.isRemoved()) {
            ctx.pipeline().replace(this, null, new RequestDecoder(config, readAhead, memory, next));
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
