package io.sluice.gateway.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.handlers.HttpException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Finds the members of a JSON object without interpreting them. It stops after any number of bytes and
 * continues later. One thread at a time.
 */
final class ObjectScanner {
    /** Views of the text, without a copy. A long message is a buffer of parts. */
    private final ByteBuffer[] pieces;
    private final int end;
    private final Sink sink;
    private final JsonScanner values = new JsonScanner();
    private Expected expected = Expected.OBJECT;
    private int piece;
    /** The index of the first byte of the piece. */
    private int base;
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
        pieces = text.nioBuffers();
        // Slices of the views, so that their positions start at 0.
        Arrays.setAll(pieces, i -> pieces[i].slice());
        end = text.readableBytes();
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
            if (at == base + pieces[piece].limit()) {
                base = at;
                piece++;
            }
            scan(pieces[piece], Math.min(to, base + pieces[piece].limit()));
        }
        if (at == end && expected != Expected.NOTHING) {
            throw wrong();
        }
        return at == end;
    }

    private void scan(ByteBuffer bytes, int to) {
        while (at < to) {
            byte next = bytes.get(at - base);
            if (expected == Expected.REST_OF_NAME) {
                name(bytes, to);
            } else if (expected == Expected.REST_OF_VALUE) {
                value(bytes, to);
            } else if (isSpace(next)) {
                at++;
            } else {
                token(next);
            }
        }
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

    private void name(ByteBuffer bytes, int to) {
        if (isScanned(bytes, to)) {
            nameTo = at;
            expected = Expected.COLON;
        }
    }

    private void value(ByteBuffer bytes, int to) {
        if (isScanned(bytes, to)) {
            expected = Expected.COMMA_OR_END;
            sink.member(nameFrom, nameTo, valueFrom, at);
        }
    }

    /** Returns whether a name or value has ended; the end of a number shows at the byte after it. */
    private boolean isScanned(ByteBuffer bytes, int to) {
        at = base + values.scan(bytes, at - base, to - base);
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
