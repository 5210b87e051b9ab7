package io.sluice.gateway.tls;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** A ClientHello of TLS 1.2 (RFC 5246 section 7.4.1.2), in one or more records. */
final class Hello {
    private static final int HANDSHAKE = 22;
    private static final int SERVER_NAME = 0;
    private static final int GROUPS = 10;
    private static final int SIGNATURES = 13;
    private static final int ALPN = 16;

    private int version = 0x0303;
    private int[] ciphers = {0xC02B, 0xC02F};
    private final ByteBuf extensions = Unpooled.buffer();

    Hello() {
        extension(GROUPS, out -> block(out, in -> in.writeShort(23)));
        extension(SIGNATURES, out -> block(out, in -> in.writeShort(0x0403).writeShort(0x0804)));
    }

    Hello version(int number) {
        version = number;
        return this;
    }

    Hello ciphers(int... numbers) {
        ciphers = numbers;
        return this;
    }

    Hello name(String name) {
        return extension(SERVER_NAME, out -> block(out, in -> {
            in.writeByte(0);
            block(in, text -> text.writeCharSequence(name, StandardCharsets.US_ASCII));
        }));
    }

    Hello protocols(String... names) {
        return extension(ALPN, out -> block(out, in -> {
            for (String name : names) {
                in.writeByte(name.length()).writeCharSequence(name, StandardCharsets.US_ASCII);
            }
        }));
    }

    /** Adds padding. */
    Hello padding(int bytes) {
        return extension(21, out -> out.writeZero(bytes));
    }

    Hello extension(int type, Consumer<ByteBuf> content) {
        extensions.writeShort(type);
        block(extensions, content);
        return this;
    }

    private static void block(ByteBuf out, Consumer<ByteBuf> content) {
        ByteBuf in = Unpooled.buffer();
        content.accept(in);
        out.writeShort(in.readableBytes()).writeBytes(in);
    }

    /** Returns the message without the header of handshake messages. */
    ByteBuf body() {
        ByteBuf out = Unpooled.buffer().writeShort(version).writeZero(32).writeByte(0);
        block(out, in -> {
            for (int cipher : ciphers) {
                in.writeShort(cipher);
            }
        });
        out.writeByte(1).writeByte(0);
        return out.writeShort(extensions.readableBytes()).writeBytes(extensions.duplicate());
    }

    byte[] bytes() {
        return records(1 << 14);
    }

    /** Returns the message in records of at most this length. */
    byte[] records(int length) {
        ByteBuf body = body();
        ByteBuf message = Unpooled.buffer().writeByte(1).writeMedium(body.readableBytes()).writeBytes(body);
        ByteBuf out = Unpooled.buffer();
        while (message.isReadable()) {
            int some = Math.min(length, message.readableBytes());
            out.writeByte(HANDSHAKE).writeShort(0x0301).writeShort(some).writeBytes(message, some);
        }
        return ByteBufUtil.getBytes(out);
    }
}
