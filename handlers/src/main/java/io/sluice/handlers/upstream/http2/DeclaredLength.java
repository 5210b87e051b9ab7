package io.sluice.handlers.upstream.http2;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Counts the body of a response against its Content-Length (RFC 9113 section 8.1.1). */
public final class DeclaredLength {
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");
    private static final long UNKNOWN = -1;

    private long left = UNKNOWN;

    /**
     * Reads the head.
     *
     * @param toHead whether it responds to HEAD: no body is expected, whatever length is declared
     * @param end whether no body follows
     * @return the mistake in the head; null if there is none
     */
    public @Nullable String read(HttpHeaders fields, boolean toHead, HttpResponseStatus status,
                                 boolean end) {
        List<String> lengths = fields.getAll(HttpHeaderNames.CONTENT_LENGTH);
        if (lengths.size() > 1 || !lengths.isEmpty() && !NUMBER.matcher(lengths.getFirst()).matches()) {
            return "Content-Length: %s (expected: one number)".formatted(lengths);
        }
        if (toHead || status.code() == HttpResponseStatus.NO_CONTENT.code()
                || status.code() == HttpResponseStatus.NOT_MODIFIED.code()) {
            left = 0;
        } else if (!lengths.isEmpty()) {
            left = Long.parseLong(lengths.getFirst());
        }
        return end && left > 0 ? "no body under a Content-Length" : null;
    }

    /** Returns whether there may be so many bytes more, and counts them. */
    public boolean takes(int bytes) {
        if (left != UNKNOWN && bytes > left) {
            return false;
        }
        left = left == UNKNOWN ? UNKNOWN : left - bytes;
        return true;
    }

    /** Returns whether the body is not complete. */
    public boolean isMissingBytes() {
        return left > 0;
    }
}
