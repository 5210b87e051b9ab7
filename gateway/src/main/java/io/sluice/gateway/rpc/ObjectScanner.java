package io.sluice.gateway.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.handlers.HttpException;
import java.nio.ByteBuffer;

/**
 * Finds the members of a JSON object without interpreting them. It stops after any number of bytes and
 * continues later. One thread at a time.
 */
final class ObjectScanner {
    private final ByteBuffer bytes;
    private final int end;
    private final Sink sink;
    private final JsonScanner values = new JsonScanner();
    private Expected expected = Expected.OBJECT;
    private int at;
    private int nameFrom;
    private int nameTo;
    private int valueFrom;

    /** Receives the members of the object. */
    @FunctionalInterface
    interface Sink {

        /**
         * Receives a member as the indices of its name and value, quotes included; the ends are exclusive.
         */
        void member(int nameFrom, int nameTo, int valueFrom, int valueTo);
    }

    /** The next part of the text. White space may precede it, unless it has begun. */
    private enum Expected {
        OBJECT, NAME_OR_END, NAME, REST_OF_NAME, COLON, VALUE, REST_OF_VALUE, COMMA_OR_END, NOTHING
    }

    /**
     * A scanner of a text that should be one object.
     *
     * @param text stays the caller's, who keeps it until it is scanned
     * @param sink receives the members in their order, with indices relative to the text's reader index
     */
    ObjectScanner(ByteBuf text, Sink sink) {
        // A slice of the view, so that its positions start at 0.
        bytes = text.nioBuffer().slice();
        end = bytes.limit();
        this.sink = sink;
    }

    /**
     * Scans the next bytes.
     *
     * @param most how many at most
     * @return whether the text is scanned to its end
     * @throws HttpException 400 at the first invalid byte, after the members in front of it have been passed
     *     on
     */
    boolean scan(int most) {
        int to = at + Math.min(most, end - at);
        while (at < to) {
            byte next = bytes.get(at);
            if (expected == Expected.REST_OF_NAME) {
                name(to);
            } else if (expected == Expected.REST_OF_VALUE) {
                value(to);
            } else if (isSpace(next)) {
                at++;
            } else {
                token(next);
            }
        }
        if (at == end && expected != Expected.NOTHING) {
            throw wrong();
        }
        return at == end;
    }

    private void token(byte next) {
        switch (expected) {
            case OBJECT -> take(next, '{', Expected.NAME_OR_END);
            case COLON -> take(next, ':', Expected.VALUE);
            case VALUE -> {
                valueFrom = at;
                begin(Expected.REST_OF_VALUE);
            }
            case NAME -> beginName(next);
            case NAME_OR_END, COMMA_OR_END -> {
                if (next == '}') {
                    take(next, '}', Expected.NOTHING);
                } else if (expected == Expected.NAME_OR_END) {
                    beginName(next);
                } else {
                    take(next, ',', Expected.NAME);
                }
            }
            default -> throw wrong();
        }
    }

    private void take(byte next, char token, Expected then) {
        if (next != token) {
            throw wrong();
        }
        at++;
        expected = then;
    }

    private void beginName(byte next) {
        if (next != '"') {
            throw wrong();
        }
        nameFrom = at;
        begin(Expected.REST_OF_NAME);
    }

    private void begin(Expected rest) {
        values.reset();
        expected = rest;
    }

    private void name(int to) {
        if (isScanned(to)) {
            nameTo = at;
            expected = Expected.COLON;
        }
    }

    private void value(int to) {
        if (isScanned(to)) {
            expected = Expected.COMMA_OR_END;
            sink.member(nameFrom, nameTo, valueFrom, at);
        }
    }

    /** Returns whether a name or value has ended; the end of a number shows at the byte after it. */
    private boolean isScanned(int to) {
        at = values.scan(bytes, at, to);
        if (at == to && to < end) {
            return false;
        }
        if (!values.isWhole()) {
            throw wrong();
        }
        return true;
    }

    /** Returns whether a byte is white space (RFC 8259 section 2). */
    static boolean isSpace(byte b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }

    private HttpException wrong() {
        return new HttpException(HttpResponseStatus.BAD_REQUEST, "message (expected: " + switch (expected) {
            case OBJECT -> "a JSON object";
            case NOTHING -> "one JSON object and nothing after it; byte %d is wrong".formatted(at + 1);
            default -> "a JSON object; " + (at == end ? "its end is missing"
                    : "byte %d is wrong".formatted(at + 1));
        } + ')');
    }
}
