package io.sluice.handlers.form;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.handlers.HttpException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Texts of forms, which are UTF-8. */
final class FormText {

    private FormText() {
    }

    /**
     * Returns bytes as a text.
     *
     * @throws HttpException 400 if they are not UTF-8
     */
    static String of(byte[] bytes, int from, int to) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, from, to - from))
                    .toString();
        } catch (CharacterCodingException e) {
            throw refusal("a form in UTF-8", e);
        }
    }

    static HttpException refusal(String expected) {
        return refusal(expected, null);
    }

    private static HttpException refusal(String expected, @Nullable Throwable cause) {
        return new HttpException(HttpResponseStatus.BAD_REQUEST, "body (expected: " + expected + ')', cause);
    }
}
