package io.sluice.handlers.upstream;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.util.AsciiString;
import io.sluice.handlers.message.ChunkedBody;
import io.sluice.handlers.message.ConnectionOptions;
import io.sluice.handlers.message.Cumulation;
import io.sluice.handlers.message.FlatHeaders;
import io.sluice.handlers.message.HeaderField;
import io.sluice.handlers.message.SmallPieces;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Netty's decoder with further checks. It also rejects responses whose length is ambiguous (RFC 9112 section
 * 6.3), anything before a status line, status lines with other blanks than one space between their parts
 * (section 4), blanks in the names of fields (section 5.1), too many fields, folded lines or connection
 * options, and a flood of informational responses. A 205 without a length ends with its head. {@link
 * ChunkedBody} decodes chunked bodies. Bytes that belong to no response are reported as {@link #UNEXPECTED}.
 * Confined to the event loop.
 */
final class Http1ResponseDecoder extends HttpResponseDecoder {
    /** Stands for bytes without a request to which they could respond. */
    static final Object UNEXPECTED = new Object();

    private static final String HTTP_1_1 = "HTTP/1.1";
    private static final int MAX_HEAD = 64 * 1024;
    private static final int MAX_FIELDS = 1000;
    /** Few, as Netty copies the value for each. */
    private static final int MAX_FOLDED_LINES = 16;
    private static final String TOO_MANY_FOLDED_LINES = "more folded lines than " + MAX_FOLDED_LINES;
    private static final int MAX_PIECE = 64 * 1024;
    private static final HttpHeadersFactory FLAT = new HttpHeadersFactory() {
        @Override
        public HttpHeaders newHeaders() {
            return new FlatHeaders(8);
        }

        @Override
        public HttpHeaders newEmptyHeaders() {
            return new FlatHeaders(1);
        }
    };

    /** The method of the request whose response is awaited; null if none is. */
    private @Nullable HttpMethod requested;
    /** Indicates whether the next byte is the first one of a head. */
    private boolean atStart;
    private boolean silent;
    private boolean inputClosed;
    private boolean hasLength;
    private boolean mayHaveBody;
    private int fields;
    private int foldedLines;
    /** Indicates whether a line that continues a field may come next. */
    private boolean behindField;
    private int informational;
    private int status;
    /** The rest of the response's body if it is chunked; else null. */
    private @Nullable ChunkedBody chunks;

    Http1ResponseDecoder() {
        super(new HttpDecoderConfig()
                .setHeadersFactory(FLAT)
                .setTrailersFactory(ChunkedBody.NO_TRAILERS)
                .setStrictLineParsing(true)
                .setMaxInitialLineLength(MAX_HEAD)
                .setMaxHeaderSize(MAX_HEAD)
                .setMaxChunkSize(MAX_PIECE));
        setCumulator(Cumulation.CUMULATOR);
    }

    /** Expects the response to a request with this method. */
    void expect(HttpMethod method) {
        requested = method;
        atStart = true;
        silent = true;
        informational = 0;
    }

    /** Returns whether no byte has come since the request. */
    boolean isSilent() {
        return silent;
    }

    /**
     * Returns whether the connection may carry another request behind a response. A server of HTTP/1.0 may
     * not know chunks, and would take them for further requests (RFC 9112 section 6.1). Behind a 205 without
     * a length, a body that nobody reads may follow up to the end of the connection (section 6.3).
     */
    boolean isPersistent(HttpResponse head) {
        return head.protocolVersion().isKeepAliveDefault() && HttpUtil.isKeepAlive(head) && !mayHaveBody;
    }

    /** Returns whether the endpoint sends no more. */
    boolean isInputClosed() {
        return inputClosed;
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
        silent = false;
        if (requested == null) {
            in.skipBytes(in.readableBytes());
            out.add(UNEXPECTED);
        } else if (atStart && in.getByte(in.readerIndex()) != 'H') {
            out.add(malformed("other bytes than a status line", in)); // Netty would skip line breaks
        } else if (behindField && hasTooManyFoldedLines(in)) {
            out.add(malformed(TOO_MANY_FOLDED_LINES, in));
        } else {
            atStart = false;
            decodeNext(ctx, in, out);
            SmallPieces.join(ctx.alloc(), in, out, () -> decodeNext(ctx, in, out));
            follow(out);
        }
    }

    private void decodeNext(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
        if (chunks == null) {
            super.decode(ctx, in, out);
            return;
        }
        HttpContent content = chunks.next(in);
        if (content != null) {
            out.add(content);
            if (content instanceof LastHttpContent && content.decoderResult().isSuccess()) {
                chunks = null;
                reset(); // Netty still waits for the first chunk
            }
        }
    }

    private HttpMessage malformed(String flaw, ByteBuf in) {
        in.skipBytes(in.readableBytes());
        requested = null;
        HttpMessage message = createInvalidMessage();
        message.setDecoderResult(DecoderResult.failure(new IllegalArgumentException(flaw)));
        return message;
    }

    /** Counts the lines at the beginning of the input that continue a field. */
    private boolean hasTooManyFoldedLines(ByteBuf in) {
        int line = in.readerIndex();
        int end = line;
        while (end >= 0 && line < in.writerIndex() && isBlank(in.getByte(line))) {
            end = in.indexOf(line, in.writerIndex(), (byte) '\n');
            line = end + 1;
            foldedLines += end < 0 ? 0 : 1;
        }
        behindField = end < 0 || line == in.writerIndex();
        return foldedLines > MAX_FOLDED_LINES;
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    @Override
    protected void decodeLast(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
        inputClosed = true;
        super.decodeLast(ctx, in, out);
        follow(out);
    }

    private void follow(List<Object> out) {
        if (out.isEmpty() || !(out.getLast() instanceof LastHttpContent)) {
            return;
        }
        if (status >= 200) {
            requested = null;
        } else {
            atStart = status != 101; // no head follows the switch to another protocol
        }
    }

    @Override
    protected String splitFirstWordInitialLine(byte[] line, int start, int length) {
        fields = 0;
        foldedLines = 0;
        hasLength = false;
        String version = super.splitFirstWordInitialLine(line, start, length);
        require(start == 0 && version.length() == HTTP_1_1.length() && version.startsWith("HTTP/1.")
                && isDigit(version.charAt(version.length() - 1)), "HTTP/1.1 or HTTP/1.0");
        return version.equals("HTTP/1.0") ? version : HTTP_1_1; // also for a later minor version
    }

    @Override
    protected String splitSecondWordInitialLine(byte[] line, int start, int length) {
        requireOneSpace(line, start);
        String code = super.splitSecondWordInitialLine(line, start, length);
        require(code.length() == 3 && isDigit(code.charAt(1)) && isDigit(code.charAt(2))
                && isDigit(code.charAt(0)) && code.charAt(0) != '0', "a status of three digits");
        return code;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    @Override
    protected String splitThirdWordInitialLine(byte[] line, int start, int length) {
        int blanks = start; // the first one ends the code, others are of the phrase
        while (isBlank(line[blanks - 1])) {
            blanks--;
        }
        requireOneSpace(line, blanks + 1);
        for (int i = start; i < start + length; i++) {
            require(line[i] >= ' ' && line[i] != 0x7F || line[i] == '\t' || line[i] < 0,
                    "no control characters in the reason phrase");
        }
        return super.splitThirdWordInitialLine(line, start, length);
    }

    private static void requireOneSpace(byte[] line, int wordStart) {
        require(wordStart >= 2 && line[wordStart - 1] == ' ' && line[wordStart - 2] > ' ',
                "one space between the parts of the status line");
    }

    private static void require(boolean wellFormed, String expected) {
        if (!wellFormed) {
            throw new IllegalArgumentException("a malformed response (expected: " + expected + ")");
        }
    }

    /**
     * Called for each field of a head, before the next line is read. Netty would drop what is between name
     * and colon.
     */
    @Override
    protected AsciiString splitHeaderName(byte[] line, int start, int length) {
        if (++fields > MAX_FIELDS) {
            throw new TooLongHttpHeaderException("more fields than " + MAX_FIELDS);
        }
        require(line[start + length] == ':', "a colon behind the name of a field");
        AsciiString name = super.splitHeaderName(line, start, length);
        if (HttpHeaderNames.CONTENT_LENGTH.contentEqualsIgnoreCase(name)) {
            require(!hasLength, "one Content-Length");
            hasLength = true;
        }
        if (hasTooManyFoldedLines(internalBuffer())) {
            throw new TooLongHttpHeaderException(TOO_MANY_FOLDED_LINES);
        }
        return name;
    }

    /** Called for each head, when all its fields are known and before its framing is determined. */
    @Override
    protected boolean isContentAlwaysEmpty(HttpMessage head) {
        behindField = false;
        status = ((HttpResponse) head).status().code();
        require(status >= 200 || ++informational <= ResponseReader.MAX_INFORMATIONAL,
                "at most " + ResponseReader.MAX_INFORMATIONAL + " informational ones");
        requireValues((FlatHeaders) head.headers());
        require(ConnectionOptions.areFew(head.headers()),
                "at most " + ConnectionOptions.MOST + " options of Connection");
        List<String> codings = head.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
        if (!codings.isEmpty()) {
            require(codings.size() == 1 && head.protocolVersion().equals(HttpVersion.HTTP_1_1)
                    && HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(codings.getFirst()),
                    "no Transfer-Encoding but chunked, and that in HTTP/1.1");
            require(!hasLength, "not both Transfer-Encoding and Content-Length");
        }
        boolean toHead = HttpMethod.HEAD.equals(requested);
        mayHaveBody = status == 205 && !hasLength && codings.isEmpty() && !toHead;
        boolean bodyless = status < 200 || status == 204 || status == 304 || mayHaveBody || toHead;
        // What may be a trailer of the response is left to its receiver.
        chunks = bodyless || codings.isEmpty() ? null : new ChunkedBody(MAX_HEAD, MAX_FIELDS, _ -> true);
        return bodyless;
    }

    /** Netty leaves a blank after a value that is continued by an empty line. */
    private static void requireValues(FlatHeaders headers) {
        for (int field = 0; field < headers.size(); field++) {
            require(!HeaderField.endsWithBlank(headers.value(field)), "no blank at the end of a value");
        }
    }
}
