package io.sluice.handlers.message;

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
 * A complete response whose body is an array, which many responses may share. Each call of {@link #content}
 * returns a new heap buffer; neither that nor the response has to be released.
 */
public final class ArrayResponse extends DefaultFullHttpResponse {
    private final byte[] body;

    /** Creates a response; the headers belong to it, and the array must not be changed from here on. */
    public ArrayResponse(HttpResponseStatus status, HttpHeaders headers, byte[] body) {
        super(HttpVersion.HTTP_1_1, status, Unpooled.EMPTY_BUFFER, headers, EmptyHttpHeaders.INSTANCE);
        this.body = body;
    }

    /** Returns headers with this Content-Type, and with room for those that the gateway adds. */
    public static FlatHeaders head(CharSequence contentType) {
        var head = new FlatHeaders(3);
        head.add(HttpHeaderNames.CONTENT_TYPE, contentType);
        return head;
    }

    /** Returns the length of a response's body in bytes, without creating a buffer for an array. */
    public static int length(FullHttpResponse answer) {
        return answer instanceof ArrayResponse array ? array.body.length : answer.content().readableBytes();
    }

    /** Appends the body of a response to a buffer, and leaves the response unchanged. */
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
