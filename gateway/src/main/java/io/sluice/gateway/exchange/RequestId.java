package io.sluice.gateway.exchange;

import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** The id of a request: the client's if it is safe to log, else a new one. */
public final class RequestId {
    private static final int MAX_LENGTH = 128;

    private RequestId() {
    }

    public static String of(@Nullable String fromClient) {
        return fromClient != null && isValid(fromClient) ? fromClient : newId();
    }

    /**
     * Returns whether an id is short and has only characters without a meaning in log formats and header
     * fields.
     */
    private static boolean isValid(String id) {
        if (id == null || id.isEmpty() || id.length() > MAX_LENGTH) {
            return false;
        }
        for (int i = 0; i < id.length(); i++) {
            char c = id.charAt(i);
            if (!(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
                    || c == '-' || c == '_' || c == '.' || c == ':' || c == '/' || c == '+' || c == '=')) {
                return false;
            }
        }
        return true;
    }

    /** Returns 63 random bits as 16 hexadecimal digits; the highest bit is always set. */
    private static String newId() {
        return Long.toHexString(ThreadLocalRandom.current().nextLong() | Long.MIN_VALUE);
    }
}
