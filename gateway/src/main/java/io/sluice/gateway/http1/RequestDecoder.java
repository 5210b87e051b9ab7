package io.sluice.gateway.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.util.AsciiString;
import io.sluice.config.ServerConfig;
import io.sluice.gateway.limits.DirectMemory;
import io.sluice.gateway.net.ConnectionEvent;
import io.sluice.gateway.net.ReadAhead;
import io.sluice.handlers.message.ChunkedBody;
import io.sluice.handlers.message.FlatHeaders;
import io.sluice.handlers.message.SmallPieces;
import io.sluice.handlers.message.Trailers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Netty's decoder with further checks. It also rejects input that Netty accepts and intermediaries may
 * interpret differently: any blank in the request line except one space between its parts (RFC 9112 section
 * 3), a version in lower case (2.3), bare CRs and LFs and too many empty lines between requests (2.2), folded
 * header lines (5.2), too many header lines, and repeated Host (3.2) or, in HTTP/1.0, Content-Length (6.3).
 * {@link ChunkedBody} decodes chunked bodies.
 */
final class RequestDecoder extends HttpRequestDecoder {
    private static final int MAX_CHUNK = 64 * 1024;
    /** RFC 9112 section 2.2 tolerates one empty line after a body. More than a few suggest an attack. */
    private static final int MAX_EMPTY_LINES = 8;
    private static final String LATEST = HttpVersion.HTTP_1_1.text();

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
    private boolean inHead;
    private int emptyLines;
    private int headers;
    /** Indicates whether the input ended with a header line that the next line may continue. */
    private boolean afterHeaderLine;
    private boolean hasLength;
    private boolean hasHost;
    /** The request's body if it is chunked; else null. */
    private @Nullable ChunkedBody chunks;

    private enum Part { HEAD, BODY, CHUNKS }

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
                .setMaxChunkSize(MAX_CHUNK));
        this.config = config;
        this.readAhead = readAhead;
        setCumulator(RequestDecoder::cumulate);
    }

    private static ByteBuf cumulate(ByteBufAllocator alloc, ByteBuf undecoded, ByteBuf in) {
        return MERGE_CUMULATOR.cumulate(alloc, undecoded == in ? in
                : DirectMemory.withRoom(alloc, undecoded, in.readableBytes()), in);
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
        if (!inHead && !skipEmptyLines(in)) {
            return;
        }
        if (afterHeaderLine) {
            refuseContinuation(in);
        }
        int end = in.writerIndex();
        if (in.getByte(end - 1) == '\r') {
            // Netty would count the CR as part of the line, whose limit must not depend on how the input is
            // split.
            in.writerIndex(end - 1);
        }
        super.decode(ctx, in, out);
        in.writerIndex(end);
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
        if (((HttpObject) decoded).decoderResult().isFailure()) {
            return; // further input is dropped
        }
        inHead = false;
        if (decoded instanceof HttpRequest request) {
            boolean chunked = request.headers().contains(HttpHeaderNames.TRANSFER_ENCODING);
            chunks = chunked ? new ChunkedBody(config.maxHeaderBlock().intBytes(), config.maxHeaders(),
                    Trailers::mayHold) : null;
            next = chunked ? Part.CHUNKS : Part.BODY;
        } else if (decoded instanceof LastHttpContent && next != Part.HEAD) { // writing costs more
            next = Part.HEAD;
        }
    }

    /** Returns whether a request has arrived in part. */
    boolean hasBegun() {
        return inHead || next != Part.HEAD || actualReadableBytes() > 0;
    }

    /**
     * Ignores a shortage of memory between two requests: the connection holds no input, and the client may
     * just be sending its next request.
     */
    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
        if (hasBegun() || !(event instanceof ConnectionEvent.MemoryShort)) {
            super.userEventTriggered(ctx, event);
        }
    }

    /** Returns whether other input follows. */
    private boolean skipEmptyLines(ByteBuf in) {
        while (in.isReadable()) {
            byte first = in.getByte(in.readerIndex());
            if (first != '\r' && first != '\n') {
                return true;
            }
            if (first == '\r' && in.readableBytes() == 1) {
                return false;
            }
            if (first == '\n' || in.getByte(in.readerIndex() + 1) != '\n' || ++emptyLines > MAX_EMPTY_LINES) {
                spoil(in);
                return true;
            }
            in.skipBytes(2);
        }
        return false;
    }

    private void refuseContinuation(ByteBuf in) {
        afterHeaderLine = !in.isReadable();
        if (!afterHeaderLine) {
            byte first = in.getByte(in.readerIndex());
            if (first == ' ' || first == '\t') {
                spoil(in);
            }
        }
    }

    /** Makes the next byte invalid, because Netty's decoder has no switch that rejects such input. */
    private static void spoil(ByteBuf in) {
        in.setByte(in.readerIndex(), 0);
    }

    @Override
    protected String splitFirstWordInitialLine(byte[] line, int start, int length) {
        if (start != 0) {
            throw new IllegalArgumentException("nothing before the method");
        }
        return super.splitFirstWordInitialLine(line, start, length);
    }

    @Override
    protected String splitSecondWordInitialLine(byte[] line, int start, int length) {
        requireSingleSpace(line, start);
        return super.splitSecondWordInitialLine(line, start, length);
    }

    @Override
    protected String splitThirdWordInitialLine(byte[] line, int start, int length) {
        requireSingleSpace(line, start);
        String version = super.splitThirdWordInitialLine(line, start, length);
        if (!version.startsWith("HTTP/")) {
            throw new IllegalArgumentException("HTTP/ before the version");
        }
        char minor = version.charAt(version.length() - 1);
        // A later one is processed as the latest that is known (RFC 9110 section 2.5).
        return version.length() == LATEST.length() && version.startsWith("HTTP/1.") && minor > '1'
                && minor <= '9' ? LATEST : version;
    }

    private static void requireSingleSpace(byte[] line, int wordStart) {
        if (wordStart < 2 || line[wordStart - 1] != ' ' || line[wordStart - 2] <= ' ') {
            throw new IllegalArgumentException("one space between the parts of the request line");
        }
    }

    @Override
    protected HttpMessage createMessage(String[] requestLine) throws Exception {
        inHead = true;
        emptyLines = 0;
        headers = 0;
        hasLength = false;
        hasHost = false;
        return super.createMessage(requestLine);
    }

    /** Called for each header line; the input's reader index is then after that line. */
    @Override
    protected AsciiString splitHeaderName(byte[] line, int start, int length) {
        if (++headers > config.maxHeaders()) {
            throw new TooLongHttpHeaderException("more header fields than " + config.maxHeaders());
        }
        AsciiString name = super.splitHeaderName(line, start, length);
        if (HttpHeaderNames.CONTENT_LENGTH.contentEqualsIgnoreCase(name)) {
            hasLength = requireFirst(hasLength, name);
        } else if (HttpHeaderNames.HOST.contentEqualsIgnoreCase(name)) {
            hasHost = requireFirst(hasHost, name);
        }
        refuseContinuation(internalBuffer());
        return name;
    }

    private static boolean requireFirst(boolean already, AsciiString name) {
        if (already) {
            throw new IllegalArgumentException("one " + name);
        }
        return true;
    }
}
