package io.sluice.handlers.bulk;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.handlers.HttpException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Splits a JSON array into its elements, or NDJSON into its lines, without parsing them: an element ends at
 * the comma or bracket that is outside of its texts, objects and arrays. Used by one worker.
 */
final class RowReader {
    /** The largest row in bytes. */
    private static final int MAX_ROW = 1 << 20;

    private final InputStream in;
    private final boolean lines;
    private final byte[] buffer = new byte[16 * 1024];
    private int at;
    private int end;
    private byte[] row = new byte[1024];
    private int length;
    private boolean begun;
    private boolean over;

    /**
     * Creates a reader.
     *
     * @param lines whether the rows are lines, not elements of an array
     */
    RowReader(InputStream in, boolean lines) {
        this.in = in;
        this.lines = lines;
    }

    /**
     * Returns the next row, which is valid until the next call, and not owned by the caller; null at the end.
     *
     * @throws HttpException 400 if there is no array, or it does not end, or a row is too large
     */
    @Nullable ByteBuf next() throws IOException {
        boolean more = !over && (lines ? readLine() : readElement());
        return more ? Unpooled.wrappedBuffer(row, 0, length) : null;
    }

    /** Reads the next line that is not blank. */
    private boolean readLine() throws IOException {
        do {
            length = 0;
            int next = read();
            for (; next >= 0 && next != '\n'; next = read()) {
                append(next);
            }
            over = next < 0;
        } while (isBlank() && !over);
        return !isBlank();
    }

    private boolean readElement() throws IOException {
        if (!begun) {
            begun = true;
            if (readBegin() != '[') {
                throw malformed();
            }
            int first = readNonBlank();
            if (first == ']') {
                requireEnd();
                return false;
            }
            if (first < 0) {
                throw malformed();
            }
            at--;
        }
        length = 0;
        int depth = 0;
        boolean inText = false;
        boolean escaped = false;
        for (int next = read(); ; next = read()) {
            if (next < 0) {
                throw malformed();
            } else if (inText) {
                inText = escaped || next != '"';
                escaped = !escaped && next == '\\';
            } else if (depth == 0 && (next == ',' || next == ']')) {
                if (next == ']') {
                    requireEnd();
                }
                append(' '); // an empty element is none, and not an empty body
                return true;
            } else {
                inText = next == '"';
                depth += next == '{' || next == '[' ? 1 : next == '}' || next == ']' ? -1 : 0;
            }
            append(next);
        }
    }

    private void requireEnd() throws IOException {
        over = true;
        if (readNonBlank() >= 0) {
            throw malformed();
        }
    }

    private boolean isBlank() {
        for (int i = 0; i < length; i++) {
            if (!isSpace(row[i])) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSpace(int next) {
        return next == ' ' || next == '\t' || next == '\n' || next == '\r';
    }

    /** Returns the first byte that is not blank. A byte order mark may precede it (RFC 8259 section 8.1). */
    private int readBegin() throws IOException {
        int first = readNonBlank();
        boolean marked = first == 0xEF && read() == 0xBB && read() == 0xBF;
        return marked ? readNonBlank() : first;
    }

    private int readNonBlank() throws IOException {
        int next = read();
        while (isSpace(next)) {
            next = read();
        }
        return next;
    }

    private int read() throws IOException {
        if (at == end) {
            at = 0;
            end = Math.max(0, in.read(buffer));
            if (end == 0) {
                return -1;
            }
        }
        return buffer[at++] & 0xFF;
    }

    private void append(int next) {
        if (length == row.length) {
            if (length == MAX_ROW) {
                throw new HttpException(HttpResponseStatus.BAD_REQUEST,
                        "body (expected: rows of at most " + MAX_ROW + " bytes)");
            }
            row = Arrays.copyOf(row, 2 * length);
        }
        row[length++] = (byte) next;
    }

    private HttpException malformed() {
        return new HttpException(HttpResponseStatus.BAD_REQUEST,
                "body (expected: a JSON array of objects, whole)");
    }
}
