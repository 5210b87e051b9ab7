package io.sluice.gateway.http1;

import io.netty.handler.codec.http.HttpHeaderValidationUtil;
import java.util.HexFormat;

/**
 * The line that a chunk begins with (RFC 9112 section 7.1): its size, and extensions, which mean nothing
 * here and must be well-formed all the same: others on the way may find another end of such a line.
 */
final class ChunkLine {
    private final String line;
    private int at;

    private ChunkLine(String line) {
        this.line = line;
    }

    /**
     * The size that a line says, in bytes.
     *
     * @throws IllegalArgumentException where the line is malformed, or the size above 31 bits
     */
    static int size(String line) {
        var parsed = new ChunkLine(line);
        int size = parsed.size();
        parsed.extensions();
        return size;
    }

    private int size() {
        long size = 0;
        while (HexFormat.isHexDigit(peek())) {
            size = size << 4 | HexFormat.fromHexDigit(line.charAt(at++));
            require(size <= Integer.MAX_VALUE);
        }
        require(at > 0);
        return (int) size;
    }

    private void extensions() {
        while (at < line.length()) {
            skipBlanks();
            require(peek() == ';');
            at++;
            skipBlanks();
            token();
            int end = at;
            skipBlanks();
            if (peek() == '=') {
                at++;
                skipBlanks();
                value();
            } else {
                at = end;
            }
        }
    }

    private void value() {
        if (peek() == '"') {
            quoted();
        } else {
            token();
        }
    }

    private void quoted() {
        at++;
        while (peek() != '"') {
            if (peek() == '\\') {
                at++;
            }
            char c = peek();
            require(c >= ' ' && c != 0x7F || c == '\t');
            at++;
        }
        at++;
    }

    private void token() {
        int start = at;
        while (at < line.length() && " \t;=\"".indexOf(line.charAt(at)) < 0) {
            at++;
        }
        requireToken(line.substring(start, at));
    }

    /**
     * Checks what must be a token (RFC 9110 section 5.6.2).
     *
     * @throws IllegalArgumentException where it is none
     */
    static void requireToken(String text) {
        require(!text.isEmpty() && HttpHeaderValidationUtil.validateToken(text) < 0);
    }

    private void skipBlanks() {
        while (peek() == ' ' || peek() == '\t') {
            at++;
        }
    }

    /** What comes next, or NUL, which is allowed nowhere, behind the end. */
    private char peek() {
        return at < line.length() ? line.charAt(at) : 0;
    }

    private static void require(boolean wellFormed) {
        if (!wellFormed) {
            throw new IllegalArgumentException("a line that chunks begin with");
        }
    }
}
