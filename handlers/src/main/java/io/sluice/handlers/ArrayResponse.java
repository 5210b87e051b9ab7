package io.sluice.handlers;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;

/**
 * A whole answer whose body is an array, which many answers may share. Whoever asks for its {@link #content}
 * gets a buffer of his own, on the heap: to release it, or the answer, is not needed.
 */
public final class ArrayResponse extends DefaultFullHttpResponse {
    private final byte[] body;

    /** One with these header fields; the array is not to be changed from here on. */
    public ArrayResponse(HttpResponseStatus status, HttpHeaders headers, byte[] body) {
        super(HttpVersion.HTTP_1_1, status, Unpooled.EMPTY_BUFFER, headers, EmptyHttpHeaders.INSTANCE);
        this.body = body;
    }

    /** The head of an answer of this type, with room for what the gateway adds. */
    public static FlatHeaders head(CharSequence contentType) {
        var head = new FlatHeaders(3);
        head.add(HttpHeaderNames.CONTENT_TYPE, contentType);
        return head;
    }

    /** How long an answer's body is, in bytes, found without a buffer where there is none. */
    public static int length(FullHttpResponse answer) {
        return answer instanceof ArrayResponse array ? array.body.length : answer.content().readableBytes();
    }

    /** Appends an answer's body to a buffer, and leaves it where it is. */
    public static void append(FullHttpResponse answer, ByteBuf to) {
        if (answer instanceof ArrayResponse array) {
            to.writeBytes(array.body);
        } else {
            to.writeBytes(answer.content(), answer.content().readerIndex(), answer.content().readableBytes());
        }
    }

    @Override
    public ByteBuf content() {
        return Unpooled.wrappedBuffer(body);
    }
}
