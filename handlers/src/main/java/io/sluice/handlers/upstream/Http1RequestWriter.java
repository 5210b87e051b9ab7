package io.sluice.handlers.upstream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import io.sluice.handlers.message.FlatHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Writes requests as bytes of HTTP/1.1 (RFC 9112). The caller owns the returned buffers. */
final class Http1RequestWriter {
    private static final int COLON_AND_SPACE = ':' << 8 | ' ';
    private static final int CRLF = '\r' << 8 | '\n';
    private static final AsciiString VERSION_AND_HOST = AsciiString.cached(" HTTP/1.1\r\nHost: ");
    private static final AsciiString CHUNKED = AsciiString.cached("Transfer-Encoding: chunked\r\n");
    private static final AsciiString LENGTH = AsciiString.cached("Content-Length: ");
    private static final AsciiString UPGRADE = AsciiString.cached("Upgrade: ");
    private static final AsciiString CONNECTION = AsciiString.cached("Connection: ");
    private static final ByteBuf CHUNK_END = Unpooled.unreleasableBuffer(
            Unpooled.directBuffer(2).writeShort(CRLF).asReadOnly());
    /** A guess for a head without the names and values of its fields. */
    private static final int TYPICAL_HEAD = 256;
    private static final int MAX_SIZE_LINE = 12;

    private Http1RequestWriter() {
    }

    /** Returns the head of a request. */
    static ByteBuf head(UpstreamRequest request, ByteBufAllocator allocator) {
        FlatHeaders headers = request.headers();
        ByteBuf out = allocator.buffer(TYPICAL_HEAD + request.target().length() + 48 * headers.size());
        ByteBufUtil.writeAscii(out, request.method().asciiName());
        out.writeByte(' ');
        ByteBufUtil.writeAscii(out, request.target());
        ByteBufUtil.writeAscii(out, VERSION_AND_HOST);
        ByteBufUtil.writeAscii(out, request.authority());
        ByteBufUtil.writeShortBE(out, CRLF);
        boolean te = false;
        for (int i = 0; i < headers.size(); i++) {
            te |= HttpHeaderNames.TE.contentEqualsIgnoreCase(headers.name(i));
            writeField(headers.name(i), headers.value(i), out);
        }
        if (request.length() == UpstreamRequest.UNKNOWN) {
            ByteBufUtil.writeAscii(out, CHUNKED);
        } else if (request.hasBody() || mayHaveBody(request)) {
            ByteBufUtil.writeAscii(out, LENGTH);
            ByteBufUtil.writeAscii(out, Long.toString(request.length()));
            ByteBufUtil.writeShortBE(out, CRLF);
        }
        if (request.upgrade() != null) {
            ByteBufUtil.writeAscii(out, UPGRADE);
            ByteBufUtil.writeAscii(out, request.upgrade());
            ByteBufUtil.writeShortBE(out, CRLF);
        }
        if (te || request.upgrade() != null) {
            writeConnection(te, request.upgrade() != null, out);
        }
        return ByteBufUtil.writeShortBE(out, CRLF);
    }

    /** Names the fields that are for this connection only (RFC 9110 sections 7.8 and 10.1.4). */
    private static void writeConnection(boolean te, boolean upgrade, ByteBuf out) {
        ByteBufUtil.writeAscii(out, CONNECTION);
        ByteBufUtil.writeAscii(out, te && upgrade ? "Upgrade, TE" : te ? "TE" : "Upgrade");
        ByteBufUtil.writeShortBE(out, CRLF);
    }

    /** Returns whether servers expect a Content-Length even without a body (RFC 9110 section 8.6). */
    private static boolean mayHaveBody(UpstreamRequest request) {
        return switch (request.method().name()) {
            case "POST", "PUT", "PATCH" -> true;
            default -> false;
        };
    }

    /** Returns the line before a chunk. */
    static ByteBuf chunkLine(int size, ByteBufAllocator allocator) {
        ByteBuf out = allocator.buffer(MAX_SIZE_LINE);
        ByteBufUtil.writeAscii(out, Integer.toHexString(size));
        return ByteBufUtil.writeShortBE(out, CRLF);
    }

    /** Returns the line end after a chunk. */
    static ByteBuf chunkEnd() {
        return CHUNK_END.duplicate();
    }

    /** Returns the last chunk with the trailers. */
    static ByteBuf lastChunk(HttpHeaders trailers, ByteBufAllocator allocator) {
        ByteBuf out = chunkLine(0, allocator);
        for (Map.Entry<String, String> field : trailers) {
            writeField(field.getKey(), field.getValue(), out);
        }
        return ByteBufUtil.writeShortBE(out, CRLF);
    }

    private static void writeField(CharSequence name, CharSequence value, ByteBuf out) {
        ByteBufUtil.writeAscii(out, name);
        ByteBufUtil.writeShortBE(out, COLON_AND_SPACE);
        writeLatin1(value, out);
        ByteBufUtil.writeShortBE(out, CRLF);
    }

    /** Writes a value as it arrived: the decoder has read its bytes as ISO 8859-1 (RFC 9110 section 5.5). */
    private static void writeLatin1(CharSequence value, ByteBuf out) {
        if (value instanceof AsciiString bytes) {
            out.writeBytes(bytes.array(), bytes.arrayOffset(), bytes.length());
        } else {
            out.writeCharSequence(value, StandardCharsets.ISO_8859_1);
        }
    }
}
