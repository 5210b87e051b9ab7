package io.sluice.handlers.http;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Writes UTF-8 as JSON strings (RFC 8259 section 7). */
public final class JsonEscapes {
    /** The escape sequence of each byte; null for bytes that need none. */
    private static final byte[][] ESCAPES = new byte['\\' + 1][];

    static {
        for (int b = 0; b < ' '; b++) {
            ESCAPES[b] = "\\u%04X".formatted(b).getBytes(StandardCharsets.US_ASCII);
        }
        Map.of('"', '"', '\\', '\\', '\b', 'b', '\f', 'f', '\n', 'n', '\r', 'r', '\t', 't').forEach(
                (b, letter) -> ESCAPES[b] = new byte[] {'\\', (byte) letter.charValue()});
    }

    private JsonEscapes() {
    }

    /**
     * Appends bytes, escaped, as a part of a JSON string whose quotes the caller writes.
     *
     * @param bytes valid UTF-8, possibly cut within a character; stays the caller's
     */
    public static void write(ByteBuf bytes, int from, int length, ByteBuf to) {
        ByteBuffer memory = bytes.nioBuffer(from, length).slice();
        int plain = 0;
        for (int at = 0; at < length; at++) {
            byte b = memory.get(at);
            if (b >= 0 && b < ESCAPES.length && ESCAPES[b] != null) {
                to.writeBytes(bytes, from + plain, at - plain).writeBytes(ESCAPES[b]);
                plain = at + 1;
            }
        }
        to.writeBytes(bytes, from + plain, length - plain);
    }
}
