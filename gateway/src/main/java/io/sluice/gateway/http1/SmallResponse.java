package io.sluice.gateway.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;
import io.netty.util.concurrent.FastThreadLocal;
import io.sluice.gateway.exchange.ResponseHeaders;
import io.sluice.handlers.Relayed;
import io.sluice.handlers.message.ArrayResponse;
import io.sluice.handlers.message.FlatHeaders;

/**
 * Encodes a whole small response into one buffer (RFC 9112 section 2.1). The head is assembled in an array
 * first, instead of by a dozen short, bounds-checked writes to a buffer.
 */
final class SmallResponse {
    /** The most bytes of a head and of a body. To copy these costs less than to send a second buffer. */
    private static final int MAX_BODY = 4096;
    /** The status line without the reason phrase, generously. */
    private static final int STATUS_LINE = 32;
    /** The lines that a relayed response may get. */
    private static final int ADDED = ("date: Thu, 01 Jan 1970 00:00:09 GMT\r\n"
            + "strict-transport-security: max-age=" + Long.MAX_VALUE + "\r\n").length();
    private static final AsciiString OK = AsciiString.cached("HTTP/1.1 200 OK\r\n");
    private static final FastThreadLocal<byte[]> SCRATCH = new FastThreadLocal<>() {
        @Override
        protected byte[] initialValue() {
            return new byte[MAX_BODY];
        }
    };

    private SmallResponse() {
    }

    /** Returns whether a response can be encoded here; otherwise Netty encodes it. */
    static boolean is(FullHttpResponse answer) {
        return answer.protocolVersion() == HttpVersion.HTTP_1_1
                && ArrayResponse.length(answer) <= MAX_BODY
                && answer.headers() instanceof FlatHeaders headers
                && answer.status().reasonPhrase().length() + length(headers) <= MAX_BODY
                && !headers.contains(HttpHeaderNames.TRANSFER_ENCODING)
                && (answer instanceof Relayed || !ResponseHeaders.hasCommonField(headers));
    }

    /** Returns an upper bound of the head's length in bytes, without the reason phrase. */
    private static int length(FlatHeaders headers) {
        int length = STATUS_LINE + ADDED;
        for (int i = 0; i < headers.size(); i++) {
            length += headers.name(i).length() + headers.value(i).length() + 4;
        }
        return length;
    }

    /**
     * Returns the encoded response, owned by the caller; does not consume the response's own buffer.
     *
     * @param rest further lines of the head, with the empty line at its end
     */
    static ByteBuf encode(FullHttpResponse answer, byte[] rest, ByteBufAllocator allocator) {
        byte[] head = SCRATCH.get();
        int end = answer.status() == HttpResponseStatus.OK ? put(OK, head, 0)
                : lineEnd(head, put(answer.status().toString(), head, put("HTTP/1.1 ", head, 0)));
        var headers = (FlatHeaders) answer.headers();
        for (int i = 0; i < headers.size(); i++) {
            end = put(headers.name(i), head, end);
            head[end++] = ':';
            head[end++] = ' ';
            end = lineEnd(head, put(headers.value(i), head, end));
        }
        ByteBuf whole = allocator.buffer(end + rest.length + ArrayResponse.length(answer));
        try {
            ArrayResponse.append(answer, whole.writeBytes(head, 0, end).writeBytes(rest));
            return whole;
        } catch (RuntimeException e) {
            whole.release();
            throw e;
        }
    }

    private static int put(CharSequence text, byte[] to, int at) {
        int length = text.length();
        if (text instanceof AsciiString ascii) {
            ascii.copy(0, to, at, length);
        } else {
            for (int i = 0; i < length; i++) {
                to[at + i] = AsciiString.c2b(text.charAt(i)); // other characters become '?', never a line end
            }
        }
        return at + length;
    }

    private static int lineEnd(byte[] to, int at) {
        to[at] = '\r';
        to[at + 1] = '\n';
        return at + 2;
    }
}
