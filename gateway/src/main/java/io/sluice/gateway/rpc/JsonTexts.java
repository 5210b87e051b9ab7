package io.sluice.gateway.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.handlers.HttpException;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JsonParser;

/** Texts of a message that is known to be JSON in UTF-8. */
final class JsonTexts {
    /** Bytes of JSON for one character at most: an escape. */
    private static final int ESCAPE = 6;
    private static final int QUOTES = 2;

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
        try (JsonParser json = Utf8Json.parser(quoted)) {
            json.nextToken();
            return requireUnicode(json.getString());
        }
    }

    /** An escape can be half of a surrogate pair, which UTF-8 cannot hold. */
    static String requireUnicode(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (!Character.isSurrogatePair(text.charAt(i), i + 1 < text.length() ? text.charAt(i + 1) : 0)) {
                    throw new HttpException(HttpResponseStatus.BAD_REQUEST,
                            "message (expected: a JSON object without half characters)");
                }
                i++;
            }
        }
        return text;
    }
}
