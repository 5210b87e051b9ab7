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

/** Texts of a message that is known to be JSON in UTF-8. */
final class JsonTexts {
    /** Bytes of JSON for one character at most: an escape. */
    private static final int ESCAPE = 6;
    private static final int QUOTES = 2;
    /** By byte; null for what stands for itself. */
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

    /** Whether a text is so long that it need not be read to know that it has more characters than that. */
    static boolean isLongerThan(int characters, ByteBuf quoted) {
        return quoted.readableBytes() > QUOTES + (long) ESCAPE * characters;
    }

    /**
     * What a text says.
     *
     * @param quoted valid JSON
     * @throws HttpException 400 where it says something that is not Unicode
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

    /** A parser of JSON that is valid, and so is not taken for UTF-16. */
    static JsonParser parser(ByteBuf json) {
        InputStream in = new ByteBufInputStream(json.duplicate());
        return Json.FACTORY.createParser(ObjectReadContext.empty(), in);
    }

    /** The rule of {@link Json#requireUnicode} for a message. */
    static String requireUnicode(String text) {
        return Json.requireUnicode("message", text);
    }

    /**
     * Appends bytes as a part of a text, between whose quotes they stand.
     *
     * @param bytes valid UTF-8, maybe cut within a character; stays its owner's
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
