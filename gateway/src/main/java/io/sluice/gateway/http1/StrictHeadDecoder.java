package io.sluice.gateway.http1;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.util.AsciiString;
import java.util.List;

/**
 * Netty's decoder with further checks of heads. It also rejects input that Netty accepts and intermediaries
 * may interpret differently: any blank in the request line except one space between its parts (RFC 9112
 * section 3), a version in lower case (2.3), bare CRs and LFs and too many empty lines between requests
 * (2.2), folded header lines (5.2), too many header lines, and repeated Host (3.2) or, in HTTP/1.0,
 * Content-Length (6.3).
 */
abstract class StrictHeadDecoder extends HttpRequestDecoder {
    /** RFC 9112 section 2.2 tolerates one empty line after a body. More than a few suggest an attack. */
    private static final int MAX_EMPTY_LINES = 8;
    private static final String LATEST = HttpVersion.HTTP_1_1.text();

    private final int maxHeaders;
    private boolean inHead;
    private int emptyLines;
    private int headers;
    /** Indicates whether the input ended with a header line that the next line may continue. */
    private boolean afterHeaderLine;
    private boolean hasLength;
    private boolean hasHost;
    private int lineBuffer;

    StrictHeadDecoder(HttpDecoderConfig config, int maxHeaders) {
        super(config);
        this.maxHeaders = maxHeaders;
    }

    /** Returns whether the request line has arrived, but not the end of the head. */
    final boolean isInHead() {
        return inHead;
    }

    /** Returns the number of header lines of the present head. */
    final int headerLines() {
        return headers;
    }

    /** Returns the capacity of the buffer into which Netty copies each line. */
    final int lineBuffer() {
        return lineBuffer;
    }

    /** Called when a head is complete. */
    final void endHead() {
        inHead = false;
    }

    /** Decodes a part of a head, or a whole one. */
    final void decodeStrictly(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
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
        lineBuffer = line.length;
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
        return new ReceivedRequest((HttpRequest) super.createMessage(requestLine));
    }

    /** As of any request. Netty's decoder takes longer to find out for a class that is not its own. */
    @Override
    protected boolean isContentAlwaysEmpty(HttpMessage message) {
        return false;
    }

    /** Called for each header line; the input's reader index is then after that line. */
    @Override
    protected AsciiString splitHeaderName(byte[] line, int start, int length) {
        lineBuffer = line.length;
        if (++headers > maxHeaders) {
            throw new TooLongHttpHeaderException("more header fields than " + maxHeaders);
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
