package io.sluice.handlers.json;

import io.netty.buffer.ByteBuf;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;

/** Writes UTF-8 as JSON strings (RFC 8259 section 7). */
public final class JsonEscapes {
    /** The length of each byte when it is escaped, by its unsigned value; 1 for bytes that need no escape. */
    private static final int[] LENGTHS = new int[256];
    /** Each byte, escaped, the first one in the low bits: one store is a fifth of the cost of six. */
    private static final long[] ESCAPED = new long[256];
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int MAX_LENGTH = 6;
    /** Bytes that are escaped at a time, in arrays: their access costs less than that of a buffer. */
    private static final int STEP = 4 * 1024;

    static {
        for (int b = 0; b < 256; b++) {
            set(b, b < ' ' ? "\\u%04X".formatted(b) : Character.toString(b));
        }
        Map.of('"', '"', '\\', '\\', '\b', 'b', '\f', 'f', '\n', 'n', '\r', 'r', '\t', 't').forEach(
                (b, letter) -> set(b, "\\" + letter));
    }

    private JsonEscapes() {
    }

    private static void set(int b, String escaped) {
        byte[] bytes = escaped.getBytes(StandardCharsets.ISO_8859_1);
        LENGTHS[b] = bytes.length;
        ESCAPED[b] = (long) LONGS.get(Arrays.copyOf(bytes, Long.BYTES), 0);
    }

    /** Returns how many bytes {@link #write} appends. */
    public static int length(ByteBuf bytes, int from, int length) {
        byte[] some = new byte[Math.min(STEP, length)];
        int escaped = length;
        for (int at = 0; at < length; at += STEP) {
            int size = Math.min(STEP, length - at);
            bytes.getBytes(from + at, some, 0, size);
            for (int i = 0; i < size; i++) {
                escaped += LENGTHS[some[i] & 0xFF] - 1;
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
        byte[] escaped = new byte[some.length * MAX_LENGTH + Long.BYTES];
        for (int at = 0; at < length; at += STEP) {
            int size = Math.min(STEP, length - at);
            bytes.getBytes(from + at, some, 0, size);
            to.writeBytes(escaped, 0, escape(some, size, escaped));
        }
    }

    private static int escape(byte[] bytes, int length, byte[] to) {
        int end = 0;
        for (int i = 0; i < length; i++) {
            int b = bytes[i] & 0xFF;
            LONGS.set(to, end, ESCAPED[b]);
            end += LENGTHS[b]; // what is behind is overwritten
        }
        return end;
    }
}
