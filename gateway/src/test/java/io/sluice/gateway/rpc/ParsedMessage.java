package io.sluice.gateway.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.sluice.handlers.HttpException;
import java.nio.charset.StandardCharsets;

/** A message that {@link MessageParser} has read, and the text of its body. Apostrophes stand for quotes. */
record ParsedMessage(RpcMessage message, String body) {
    static final int MAX_REQUEST_LINE = 8192;
    private static final HttpHeaders INHERITED = new DefaultHttpHeaders()
            .set(HttpHeaderNames.HOST, "a:1").set(HttpHeaderNames.USER_AGENT, "b");
    /** The length in bytes up to which a message is read in all slices. */
    private static final int SHORT = 200;

    /**
     * Reads a text at once. If it is short, also checks that all ways to slice it, or its buffer, give the
     * same message.
     */
    static ParsedMessage of(String text) {
        int length = utf8(text).length;
        ParsedMessage atOnce = read(text, length + 1, 1);
        if (length <= SHORT) {
            for (int first = 1; first < length; first++) {
                assertSame(atOnce, read(text, first, length), text);
                assertSame(atOnce, read(new Parts(utf8(text), first), length + 1, 1), text);
            }
            assertSame(atOnce, read(text, 1, 1), text);
        }
        return atOnce;
    }

    /** Reads a text in slices, the first one of another length than the others. */
    private static ParsedMessage read(String text, int first, int others) {
        return read(PooledByteBufAllocator.DEFAULT.buffer().writeZero(3).writeBytes(utf8(text)).skipBytes(3),
                first, others);
    }

    private static ParsedMessage read(ByteBuf buffer, int first, int others) {
        int length = buffer.readableBytes();
        var parser = new MessageParser(buffer, INHERITED, MAX_REQUEST_LINE);
        boolean whole = parser.scan(first);
        while (!whole) {
            whole = parser.scan(others);
        }
        RpcMessage message = parser.message();
        assertThat(buffer.readableBytes()).isEqualTo(length);
        assertThat(buffer.release()).as("is not retained by the body").isTrue();
        String body = null;
        if (message instanceof RpcMessage.Request request && request.body() != null) {
            body = request.body().toString(StandardCharsets.UTF_8).replace('"', '\'');
            request.body().release();
        }
        return new ParsedMessage(message, body);
    }

    private static byte[] utf8(String text) {
        return text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }

    private static void assertSame(ParsedMessage expected, ParsedMessage read, String text) {
        assertThat(read.asText()).as(text).isEqualTo(expected.asText());
    }

    String id() {
        return message.id();
    }

    HttpRequest head() {
        return message.head();
    }

    String path() {
        return ((RpcMessage.Request) message).path();
    }

    HttpException problem() {
        return message instanceof RpcMessage.Invalid invalid ? invalid.problem() : null;
    }

    String asText() {
        return message instanceof RpcMessage.Request ? id() + ' ' + head() + ' ' + path() + ' ' + body
                : message.toString();
    }
}
