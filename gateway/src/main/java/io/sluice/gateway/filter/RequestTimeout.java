package io.sluice.gateway.filter;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AsciiString;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.Mistake;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * The header field {@code X-Request-Timeout: 250ms}, the time for which the client will wait for the
 * response: a positive integer of at most eight digits, as in gRPC's {@code grpc-timeout}, and a unit: ms, s
 * or m.
 */
final class RequestTimeout {
    static final AsciiString HEADER = AsciiString.cached("x-request-timeout");

    private static final int MAX_DIGITS = 8;

    private RequestTimeout() {
    }

    /**
     * Parses a value.
     *
     * @throws HttpException 400 if it is malformed
     */
    static Duration parse(String value) {
        int digits = 0;
        while (digits < value.length() && value.charAt(digits) >= '0' && value.charAt(digits) <= '9') {
            digits++;
        }
        long number = digits == 0 || digits > MAX_DIGITS ? 0 : Long.parseLong(value, 0, digits, 10);
        ChronoUnit unit = switch (value.substring(digits)) {
            case "ms" -> ChronoUnit.MILLIS;
            case "s" -> ChronoUnit.SECONDS;
            case "m" -> ChronoUnit.MINUTES;
            default -> null;
        };
        if (number == 0 || unit == null) {
            throw new HttpException(HttpResponseStatus.BAD_REQUEST, "X-Request-Timeout: "
                    + Mistake.shortened(value)
                    + " (expected: a positive whole number with its unit, such as 250ms, 5s or 1m)");
        }
        return Duration.of(number, unit);
    }
}
