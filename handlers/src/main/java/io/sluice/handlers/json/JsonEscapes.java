package io.sluice.handlers.json;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Writes UTF-8 as JSON strings (RFC 8259 section 7). */
public final class JsonEscapes {
    /** The escape sequence of each byte, by its unsigned value; null for bytes that need none. */
    private static final byte[][] ESCAPES = new byte[256][];
    private static final int MAX_LENGTH = 6;
    /** Bytes that are escaped at a time, in arrays: their access costs less than that of a buffer. */
    private static final int STEP = 4 * 1024;

    static {
        for (int b = 0; b < ' '; b++) {
            ESCAPES[b] = "\\u%04X".formatted(b).getBytes(StandardCharsets.US_ASCII);
        }
        Map.of('"', '"', '\\', '\\', '\b', 'b', '\f', 'f', '\n', 'n', '\r', 'r', '\t', 't').forEach(
                (b, letter) -> ESCAPES[b] = new byte[] {'\\', (byte) letter.charValue()});
    }

    private JsonEscapes() {
    }

    /** Returns how many bytes {@link #write} appends. */
    public static int length(ByteBuf bytes, int from, int length) {
        byte[] some = new byte[Math.min(STEP, length)];
        int escaped = length;
        for (int at = 0; at < length; at += STEP) {
            int size = Math.min(STEP, length - at);
            bytes.getBytes(from + at, some, 0, size);
            for (int i = 0; i < size; i++) {
                byte[] escape = ESCAPES[some[i] & 0xFF];
                escaped += escape == null ? 0 : escape.length - 1;
            }
        }
        return escaped;
    }

    /**
     * Appends bytes, escaped, as a part of a JSON string whose quotes the caller writes.
     *
     * @param bytes valid UTF-8, possibly cut within a character; stays the caller's
     */
    public static void write(ByteBuf bytes, int from, int length, ByteBuf to) {
        byte[] some = new byte[Math.min(STEP, length)];
        byte[] escaped = new byte[some.length * MAX_LENGTH];
        for (int at = 0; at < length; at += STEP) {
            int size = Math.min(STEP, length - at);
            bytes.getBytes(from + at, some, 0, size);
            to.writeBytes(escaped, 0, escape(some, size, escaped));
        }
    }

    private static int escape(byte[] bytes, int length, byte[] to) {
        int end = 0;
        for (int i = 0; i < length; i++) {
            byte[] escape = ESCAPES[bytes[i] & 0xFF];
            if (escape == null) {
                to[end++] = bytes[i];
            } else {
                for (byte b : escape) {
                    to[end++] = b;
                }
            }
        }
        return end;
    }
}
