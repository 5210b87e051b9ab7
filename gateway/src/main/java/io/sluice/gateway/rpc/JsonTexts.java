package io.sluice.gateway.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.json.Json;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JsonParser;

/** Reads and writes JSON strings, in messages that are known to be valid JSON in UTF-8. */
final class JsonTexts {
    /** The most bytes of JSON for one character: a Unicode escape. */
    private static final int ESCAPE = 6;
    private static final int QUOTES = 2;

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

    /** Returns a parser of valid JSON. A stream of valid JSON is never mistaken for UTF-16. */
    static JsonParser parser(ByteBuf json) {
        return Json.parser(new ByteBufInputStream(json.duplicate()));
    }

    /** Applies {@link Json#requireUnicode} to a string of a message. */
    static String requireUnicode(String text) {
        return Json.requireUnicode("message", text);
    }
}
