package io.sluice.handlers.upstream.http2;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks the parts of a response: their order (RFC 9113 section 8.1), and the body against its Content-Length
 * (section 8.1.1). Each check returns the flaw; null if there is none.
 */
public final class ResponseForm {
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");
    private static final long UNKNOWN = -1;

    private final int maxInformational;
    private boolean toHead;
    private int informational;
    private boolean begun;
    /** The bytes of the body that are still to come. */
    private long left = UNKNOWN;

    /**
     * The form of a response that has not begun.
     *
     * @param maxInformational the most responses (1xx) that may precede it
     */
    public ResponseForm(int maxInformational) {
        this.maxInformational = maxInformational;
    }

    /** Notes that it responds to HEAD: no body is expected, whatever length is declared. */
    public void respondsToHead() {
        toHead = true;
    }

    /** Returns whether the head has arrived, without a flaw. */
    public boolean hasBegun() {
        return begun;
    }

    /**
     * Checks fields: of the head, of an informational response before it, or of the trailers.
     *
     * @param end whether they end the response
     */
    public @Nullable String fields(ResponseFields fields, boolean end) {
        if (fields.isInformational() && ++informational > maxInformational) {
            return "too many informational responses";
        }
        String flaw = fields.flaw(begun, end);
        HttpResponseStatus status = fields.code();
        if (flaw != null || status == null || fields.isInformational()) {
            return flaw;
        }
        flaw = head(fields.fields(), status, end);
        begun = flaw == null;
        return flaw;
    }

    private @Nullable String head(HttpHeaders fields, HttpResponseStatus status, boolean end) {
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

    /** Checks and counts a piece of the body, of so many bytes. */
    public @Nullable String data(int bytes) {
        if (!begun) {
            return "a body without a head";
        }
        if (left != UNKNOWN && bytes > left) {
            return "a body longer than its Content-Length";
        }
        left = left == UNKNOWN ? UNKNOWN : left - bytes;
        return null;
    }

    /** Checks the end of the response. */
    public @Nullable String end() {
        return left > 0 ? "a body shorter than its Content-Length" : null;
    }
}
