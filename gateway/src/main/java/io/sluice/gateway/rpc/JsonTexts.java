package io.sluice.gateway.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.http.Json;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;

/** Reads and writes JSON strings, in messages that are known to be valid JSON in UTF-8. */
final class JsonTexts {
    /** The most bytes of JSON for one character: a Unicode escape. */
    private static final int ESCAPE = 6;
    private static final int QUOTES = 2;
    /** The escape sequence of each byte; null for bytes that need none. */
    private static final byte[][] ESCAPES = new byte['\\' + 1][];

    static {
        for (int b = 0; b < ' '; b++) {
            ESCAPES[b] = "\\u%04X".formatted(b).getBytes(StandardCharsets.US_ASCII);
        }
        Map.of('"', '"', '\\', '\\', '\b', 'b', '\f', 'f', '\n', 'n', '\r', 'r', '\t', 't').forEach(
                (b, letter) -> ESCAPES[b] = new byte[] {'\\', (byte) letter.charValue()});
    }

    private JsonTexts() {
    }

    /**
     * Returns whether a string certainly has more than this many characters, judged by its length in bytes
     * alone.
     */
    static boolean isLongerThan(int characters, ByteBuf quoted) {
        return quoted.readableBytes() > QUOTES + (long) ESCAPE * characters;
    }

    /**
     * The value of a JSON string.
     *
     * @param quoted valid JSON; stays the caller's
     * @throws HttpException 400 if it contains unpaired surrogates
     */
    static String string(ByteBuf quoted) {
        int from = quoted.readerIndex() + 1;
        int length = quoted.readableBytes() - QUOTES;
        if (quoted.indexOf(from, from + length, (byte) '\\') < 0) {
            return quoted.toString(from, length, StandardCharsets.UTF_8);
        }
        try (JsonParser json = parser(quoted)) {
            json.nextToken();
            return requireUnicode(json.getString());
        }
    }

    /** A parser of valid JSON. A stream of valid JSON is never mistaken for UTF-16. */
    static JsonParser parser(ByteBuf json) {
        InputStream in = new ByteBufInputStream(json.duplicate());
        return Json.FACTORY.createParser(ObjectReadContext.empty(), in);
    }

    /** Applies {@link Json#requireUnicode} to a string of a message. */
    static String requireUnicode(String text) {
        return Json.requireUnicode("message", text);
    }

    /**
     * Appends bytes, escaped, as a part of a JSON string whose quotes the caller writes.
     *
     * @param bytes valid UTF-8, possibly cut within a character; stays the caller's
     */
    static void escape(ByteBuf bytes, int from, int length, ByteBuf to) {
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
