package io.sluice.gateway.pipeline;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.AsciiString;
import io.sluice.config.ServerConfig;
import java.util.List;

/**
 * Netty's decoder, which refuses most of what RFC 9112 wants refused. What it lets pass and others on
 * the way may read differently is refused here: all but one space between the parts of a request line
 * and any before it (section 3), a version in lower case (2.3), bare CRs and LFs between requests (2.2),
 * header lines that are continued on the next (5.2), several Content-Lengths in HTTP/1.0 (6.3).
 */
final class RequestDecoder extends HttpRequestDecoder {
    private static final int MAX_CHUNK = 64 * 1024;

    /** What is being decoded; null between calls. */
    private ByteBuf input;
    private boolean betweenRequests = true;
    /** The input ended with a header line, so that nobody knows yet whether the next continues it. */
    private boolean afterHeaderLine;
    private boolean hasLength;

    RequestDecoder(ServerConfig config) {
        super(new HttpDecoderConfig()
                .setMaxInitialLineLength(config.maxRequestLine().intBytes())
                .setMaxHeaderSize(config.maxHeaderBlock().intBytes())
                .setMaxChunkSize(MAX_CHUNK));
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
        if (betweenRequests && !skipEmptyLines(in)) {
            return;
        }
        if (afterHeaderLine) {
            refuseContinuation(in);
        }
        input = in;
        super.decode(ctx, in, out);
        input = null;
        if (!out.isEmpty() && out.getLast() instanceof LastHttpContent) {
            betweenRequests = true;
        }
    }

    /** Whether a part of a request is there, and not all of it. */
    boolean hasBegun() {
        return !betweenRequests || actualReadableBytes() > 0;
    }

    /** Says whether something else follows. */
    private static boolean skipEmptyLines(ByteBuf in) {
        while (in.isReadable()) {
            byte first = in.getByte(in.readerIndex());
            if (first != '\r' && first != '\n') {
                return true;
            }
            if (first == '\r' && in.readableBytes() == 1) {
                return false;
            }
            if (first == '\n' || in.getByte(in.readerIndex() + 1) != '\n') {
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

    /** Makes what follows something that Netty refuses: it has no switch for this. */
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
        return version;
    }

    private static void requireSingleSpace(byte[] line, int wordStart) {
        if (wordStart < 2 || line[wordStart - 1] != ' ' || line[wordStart - 2] <= ' ') {
            throw new IllegalArgumentException("one space between the parts of the request line");
        }
    }

    @Override
    protected HttpMessage createMessage(String[] requestLine) throws Exception {
        betweenRequests = false;
        hasLength = false;
        return super.createMessage(requestLine);
    }

    /** Is called for each header line, with the input behind it. */
    @Override
    protected AsciiString splitHeaderName(byte[] line, int start, int length) {
        AsciiString name = super.splitHeaderName(line, start, length);
        if (HttpHeaderNames.CONTENT_LENGTH.contentEqualsIgnoreCase(name)) {
            if (hasLength) {
                throw new IllegalArgumentException("one Content-Length");
            }
            hasLength = true;
        }
        refuseContinuation(input);
        return name;
    }
}
