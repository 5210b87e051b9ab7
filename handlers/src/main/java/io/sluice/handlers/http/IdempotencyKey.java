package io.sluice.handlers.http;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import io.sluice.handlers.HttpException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the Idempotency-Key of a request (draft-ietf-httpapi-idempotency-key-header-07). */
public final class IdempotencyKey {
    private static final String HEADER = "Idempotency-Key";
    private static final AsciiString NAME = AsciiString.cached("idempotency-key");
    private static final String EXPECTED = "one text of 1..255 ASCII characters";
    /** A string (RFC 9651 section 3.3.3), or a text without quotes, as many clients send it. */
    private static final Pattern KEY = Pattern.compile(
            "\"(?<quoted>(?:[ !#-\\[\\]-~]|\\\\[\"\\\\]){1,255})\"|(?<plain>[!#-~][!-~]{0,254})");
    private static final Pattern ESCAPE = Pattern.compile("\\\\(.)");

    private IdempotencyKey() {
    }

    /**
     * Returns the key; null if there is none.
     *
     * @throws HttpException 400 for another text, and if one is required and missing
     */
    public static @Nullable String of(HttpHeaders request, boolean required) {
        List<String> fields = request.getAll(NAME);
        if (fields.isEmpty()) {
            if (required) {
                throw HttpException.badParameter(HEADER, null, EXPECTED);
            }
            return null;
        }
        Matcher key = KEY.matcher(fields.getFirst().strip());
        if (fields.size() > 1 || !key.matches()) {
            throw HttpException.badParameter(HEADER, String.join(", ", fields), EXPECTED);
        }
        String quoted = key.group("quoted");
        return quoted == null ? key.group("plain") : ESCAPE.matcher(quoted).replaceAll("$1");
    }
}
