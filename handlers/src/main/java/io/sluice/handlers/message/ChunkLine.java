package io.sluice.handlers.message;

import io.netty.handler.codec.http.HttpHeaderValidationUtil;
import java.util.HexFormat;

/**
 * The line before a chunk (RFC 9112 section 7.1): the chunk's size and extensions. Extensions are ignored,
 * but malformed ones are rejected, because intermediaries may find the end of such a line elsewhere.
 */
final class ChunkLine {
    private final String line;
    private int at;

    private ChunkLine(String line) {
        this.line = line;
    }

    /**
     * Returns the size of a chunk in bytes.
     *
     * @throws IllegalArgumentException if the line is malformed or the size exceeds 31 bits
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
     * Requires a token (RFC 9110 section 5.6.2).
     *
     * @throws IllegalArgumentException if the text is not a token
     */
    static void requireToken(String text) {
        require(!text.isEmpty() && HttpHeaderValidationUtil.validateToken(text) < 0);
    }

    private void skipBlanks() {
        while (peek() == ' ' || peek() == '\t') {
            at++;
        }
    }

    /** Returns the next character; NUL at the end, as it is valid nowhere in the line. */
    private char peek() {
        return at < line.length() ? line.charAt(at) : 0;
    }

    private static void require(boolean wellFormed) {
        if (!wellFormed) {
            throw new IllegalArgumentException("a line that chunks begin with");
        }
    }
}
