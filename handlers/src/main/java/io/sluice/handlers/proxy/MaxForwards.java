package io.sluice.handlers.proxy;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.sluice.handlers.message.FlatHeaders;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The field Max-Forwards: how many proxies an OPTIONS request may still pass (RFC 9110 section 7.6.2). In
 * requests of other methods, and with another value than a number, it is passed on as it is.
 */
public final class MaxForwards {
    /** A number, matched without backtracking: a field may be long. */
    private static final Pattern NUMBER = Pattern.compile("(?=[0-9])0*+([0-9]*+)");
    /** Larger values are this one. */
    private static final int MAX_VALUE = 1_000_000_000;

    private MaxForwards() {
    }

    /** Returns whether a request must be answered here. */
    public static boolean isUsedUp(HttpRequest request) {
        String value = value(request);
        return value != null && value.isEmpty();
    }

    /**
     * Counts this proxy.
     *
     * @param headers those that are passed on
     */
    static void decrement(HttpRequest request, FlatHeaders headers) {
        String value = value(request);
        if (value != null) {
            int left = value.isEmpty() ? 0 : value.length() < 10 ? Integer.parseInt(value) : MAX_VALUE;
            headers.set(HttpHeaderNames.MAX_FORWARDS, Integer.toString(left - 1));
        }
    }

    /** Returns the number without leading zeros, empty for 0; null if there is none. */
    private static @Nullable String value(HttpRequest request) {
        if (!request.method().equals(HttpMethod.OPTIONS)) {
            return null;
        }
        String value = request.headers().get(HttpHeaderNames.MAX_FORWARDS);
        Matcher number = value == null ? null : NUMBER.matcher(value);
        return number == null || !number.matches() ? null : number.group(1);
    }
}
