package io.sluice.gateway.rpc;

import java.nio.ByteBuffer;

/**
 * A scanner that finds the end of one JSON value (RFC 8259), or the first byte that breaks it, in bytes that
 * arrive in pieces. It makes nothing of names, texts and numbers, so that a mebibyte takes about two
 * milliseconds whatever is in it. Within texts it takes any byte above ASCII: UTF-8 is checked elsewhere.
 */
final class JsonScanner {
    /** Arrays and objects within each other, as many as a parser of ours takes. */
    static final int MAX_DEPTH = 500;

    private static final String TRUE = "true";
    private static final String FALSE = "false";
    private static final String NULL = "null";
    private static final int HEX_DIGITS = 4;

    private enum State {
        /** Between tokens; space may come before each. */
        VALUE, FIRST_ELEMENT, FIRST_NAME, NAME, COLON, AFTER_VALUE,
        TEXT, ESCAPE, HEX, LITERAL,
        MINUS, ZERO, INTEGER, POINT, FRACTION, E, E_SIGN, EXPONENT,
        DONE, BROKEN
    }

    private State state = State.VALUE;
    private int depth;
    /** A bit for each level: whether it is an object. */
    private final long[] objects = new long[MAX_DEPTH / Long.SIZE + 1];
    /** Whether the text that is scanned is a name. */
    private boolean name;
    private String literal;
    /** Of a literal, or of an escape's digits. */
    private int seen;

    /** Begins another value. */
    void reset() {
        state = State.VALUE;
        depth = 0;
    }

    /** Whether the value ends here, or can end here. */
    boolean isWhole() {
        return state == State.DONE || depth == 0 && endsNumber();
    }

    /** Whether a byte came that cannot be there. */
    boolean isBroken() {
        return state == State.BROKEN;
    }

    private boolean endsNumber() {
        return state == State.ZERO || state == State.INTEGER || state == State.FRACTION
                || state == State.EXPONENT;
    }

    /**
     * Goes on with the next bytes.
     *
     * @return the index behind the value, the index of the byte that breaks it, or {@code to}
     */
    int scan(ByteBuffer bytes, int from, int to) {
        int at = from;
        while (at < to) {
            switch (state) {
                case DONE -> {
                    return at;
                }
                case TEXT -> at = text(bytes, at, to);
                case ESCAPE -> escape(bytes.get(at++));
                case HEX -> hex(bytes.get(at++));
                case LITERAL -> literal(bytes.get(at++));
                case MINUS, ZERO, INTEGER, POINT, FRACTION, E, E_SIGN, EXPONENT ->
                        at += number(bytes.get(at));
                default -> between(bytes.get(at++));
            }
            if (state == State.BROKEN) {
                return at - 1;
            }
        }
        return at;
    }

    private void between(byte b) {
        if (b == ' ' || b == '\n' || b == '\r' || b == '\t') {
            return;
        }
        switch (state) {
            case VALUE -> value(b);
            case FIRST_ELEMENT -> {
                if (b == ']') {
                    leave();
                } else {
                    value(b);
                }
            }
            case FIRST_NAME -> {
                if (b == '}') {
                    leave();
                } else {
                    name(b);
                }
            }
            case NAME -> name(b);
            case COLON -> state = b == ':' ? State.VALUE : State.BROKEN;
            default -> afterValue(b);
        }
    }

    private void value(byte b) {
        switch (b) {
            case '"' -> {
                name = false;
                state = State.TEXT;
            }
            case '{' -> enter(true);
            case '[' -> enter(false);
            case '-' -> state = State.MINUS;
            case '0' -> state = State.ZERO;
            case 't' -> literal(TRUE);
            case 'f' -> literal(FALSE);
            case 'n' -> literal(NULL);
            default -> state = isDigit(b) ? State.INTEGER : State.BROKEN;
        }
    }

    private void name(byte b) {
        name = true;
        state = b == '"' ? State.TEXT : State.BROKEN;
    }

    private void afterValue(byte b) {
        boolean inObject = inObject();
        if (b == ',') {
            state = inObject ? State.NAME : State.VALUE;
        } else if (b == (inObject ? '}' : ']')) {
            leave();
        } else {
            state = State.BROKEN;
        }
    }

    private void enter(boolean object) {
        if (depth == MAX_DEPTH) {
            state = State.BROKEN;
            return;
        }
        long bit = 1L << depth;
        long others = objects[depth / Long.SIZE] & ~bit;
        objects[depth / Long.SIZE] = object ? others | bit : others;
        depth++;
        state = object ? State.FIRST_NAME : State.FIRST_ELEMENT;
    }

    private boolean inObject() {
        return (objects[(depth - 1) / Long.SIZE] & 1L << depth - 1) != 0;
    }

    private void leave() {
        depth--;
        valueEnds();
    }

    private void valueEnds() {
        state = depth == 0 ? State.DONE : State.AFTER_VALUE;
    }

    private int text(ByteBuffer bytes, int from, int to) {
        int at = from;
        while (at < to) {
            byte b = bytes.get(at++);
            if (b == '"') {
                if (name) {
                    state = State.COLON;
                } else {
                    valueEnds();
                }
                return at;
            } else if (b == '\\') {
                state = State.ESCAPE;
                return at;
            } else if (b >= 0 && b < ' ') {
                state = State.BROKEN;
                return at;
            }
        }
        return at;
    }

    private void escape(byte b) {
        seen = 0;
        state = switch (b) {
            case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> State.TEXT;
            case 'u' -> State.HEX;
            default -> State.BROKEN;
        };
    }

    private void hex(byte b) {
        if (Character.digit(b, 16) < 0) {
            state = State.BROKEN;
        } else if (++seen == HEX_DIGITS) {
            state = State.TEXT;
        }
    }

    private void literal(String expected) {
        literal = expected;
        seen = 1;
        state = State.LITERAL;
    }

    private void literal(byte b) {
        if (b != literal.charAt(seen++)) {
            state = State.BROKEN;
        } else if (seen == literal.length()) {
            valueEnds();
        }
    }

    /** How many bytes that takes: none where the number has ended before this one. */
    private int number(byte b) {
        State next = switch (state) {
            case MINUS -> b == '0' ? State.ZERO : isDigit(b) ? State.INTEGER : State.BROKEN;
            case ZERO -> afterInteger(b);
            case INTEGER -> isDigit(b) ? State.INTEGER : afterInteger(b);
            case POINT -> isDigit(b) ? State.FRACTION : State.BROKEN;
            case FRACTION -> isDigit(b) ? State.FRACTION : isE(b) ? State.E : null;
            case E -> b == '+' || b == '-' ? State.E_SIGN : isDigit(b) ? State.EXPONENT : State.BROKEN;
            case E_SIGN -> isDigit(b) ? State.EXPONENT : State.BROKEN;
            default -> isDigit(b) ? State.EXPONENT : null;
        };
        if (next == null) {
            valueEnds();
            return 0;
        }
        state = next;
        return 1;
    }

    private static State afterInteger(byte b) {
        return b == '.' ? State.POINT : isE(b) ? State.E : null;
    }

    private static boolean isE(byte b) {
        return b == 'e' || b == 'E';
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }
}
