package io.sluice.handlers.files;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.handlers.HttpException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A range of bytes in a file.
 *
 * @param from the position of the first byte
 * @param to the position after the last byte
 */
record ByteRange(long from, long to) {
    private static final String UNIT = "bytes=";

    long length() {
        return to - from;
    }

    /**
     * Parses a Range header (RFC 9110 section 14). Several ranges are answered with the whole file: a
     * multipart response could be longer than the file, for a short request.
     *
     * @return null if the whole file is to be sent: if the header is missing, malformed, of another unit or
     *     of several ranges, or the file is empty and no range can be satisfied
     * @throws HttpException 416 if the file has no byte of the range
     */
    static @Nullable ByteRange of(List<String> fields, long size) {
        if (size == 0 || fields.size() != 1
                || !fields.getFirst().regionMatches(true, 0, UNIT, 0, UNIT.length())) {
            return null;
        }
        List<String> ranges = Arrays.stream(fields.getFirst().substring(UNIT.length()).split(","))
                .map(String::strip).filter(range -> !range.isEmpty()).toList();
        ByteRange range = ranges.size() == 1 ? of(ranges.getFirst(), size) : null;
        if (range != null && range.length() == 0) {
            throw new HttpException(HttpResponseStatus.REQUESTED_RANGE_NOT_SATISFIABLE,
                    "no byte of that range is there (expected: some of " + size + ")")
                    .with(HttpHeaderNames.CONTENT_RANGE, "bytes */" + size);
        }
        return range;
    }

    /** Returns null if it is malformed, an empty range if the file has none of it. */
    private static @Nullable ByteRange of(String range, long size) {
        int dash = range.indexOf('-');
        String first = range.substring(0, Math.max(0, dash));
        String last = range.substring(dash + 1);
        if (dash == 0) {
            long suffix = number(last);
            return suffix < 0 ? null : new ByteRange(Math.max(0, size - suffix), size);
        }
        long from = number(first);
        long to = last.isEmpty() ? Long.MAX_VALUE : number(last);
        return from < 0 || to < from ? null
                : new ByteRange(Math.min(from, size), to < size ? to + 1 : size);
    }

    /** Parses digits; a number beyond a long becomes its largest value. -1 for anything else. */
    private static long number(String digits) {
        if (digits.isEmpty() || digits.chars().anyMatch(c -> c < '0' || c > '9')) {
            return -1;
        }
        String significant = digits.replaceFirst("^0+(?=.)", "");
        return significant.length() > 18 ? Long.MAX_VALUE : Long.parseLong(significant);
    }

    /** Returns the value of Content-Range. */
    String contentRange(long size) {
        return "bytes " + from + '-' + (to - 1) + '/' + size;
    }
}
