package io.sluice.gateway.rpc;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Finds the end of one JSON value (RFC 8259), or the first byte that makes it invalid, in bytes that arrive
 * in pieces. It does not interpret names, strings and numbers, so that 1 MiB takes 2 to 3 ms whatever it
 * contains. Strings may contain any byte above ASCII: UTF-8 is validated elsewhere.
 */
final class JsonScanner {
    /** The deepest nesting of arrays and objects that is accepted; the JSON parsers have the same limit. */
    static final int MAX_DEPTH = 500;

    // States, each of which is a row of the table. In the first seven, white space may precede a token.
    private static final byte VALUE = 0;
    private static final byte FIRST_ELEMENT = 1;
    private static final byte FIRST_NAME = 2;
    private static final byte NAME = 3;
    private static final byte COLON = 4;
    private static final byte AFTER_ELEMENT = 5;
    private static final byte AFTER_MEMBER = 6;
    private static final byte TEXT = 7;
    private static final byte IN_NAME = 8;
    /** Followed by one state for each of the four digits of a Unicode escape. */
    private static final byte ESCAPE = 9;
    private static final byte NAME_ESCAPE = 14;
    private static final byte MINUS = 19;
    private static final byte ZERO = 20;
    private static final byte INTEGER = 21;
    private static final byte POINT = 22;
    private static final byte FRACTION = 23;
    private static final byte E = 24;
    private static final byte E_SIGN = 25;
    private static final byte EXPONENT = 26;
    /** One state for each letter of a literal but the first. */
    private static final byte TRUE = 27;
    private static final byte FALSE = 30;
    private static final byte NULL = 34;
    private static final byte DONE = 37;

    // Actions of a byte that do more than change the state.
    private static final byte BREAKS = -1;
    private static final byte ENDS_VALUE = -2;
    private static final byte FOLLOWS_NUMBER = -3;
    private static final byte OPENS_OBJECT = -4;
    private static final byte OPENS_ARRAY = -5;
    private static final byte CLOSES = -6;

    /** The table, by state and byte: the next state, or one of the actions. */
    private static final byte[] NEXT = new byte[DONE << 8];
    private static final String DIGITS = "0123456789";

    private byte state = VALUE;
    private int depth;
    /** The state after a value, for each depth. */
    private byte[] after = new byte[16];

    static {
        Arrays.fill(NEXT, BREAKS);
        for (byte between = VALUE; between <= AFTER_MEMBER; between++) {
            on(between, " \n\r\t", between);
        }
        value(VALUE);
        value(FIRST_ELEMENT);
        on(FIRST_ELEMENT, "]", CLOSES);
        on(FIRST_NAME, "\"", IN_NAME);
        on(FIRST_NAME, "}", CLOSES);
        on(NAME, "\"", IN_NAME);
        on(COLON, ":", VALUE);
        on(AFTER_ELEMENT, ",", VALUE);
        on(AFTER_ELEMENT, "]", CLOSES);
        on(AFTER_MEMBER, ",", NAME);
        on(AFTER_MEMBER, "}", CLOSES);
        text(TEXT, ESCAPE, ENDS_VALUE);
        text(IN_NAME, NAME_ESCAPE, COLON);
        numbers();
        literal("true", TRUE);
        literal("false", FALSE);
        literal("null", NULL);
    }

    private static void on(byte state, String bytes, byte next) {
        bytes.chars().forEach(b -> NEXT[state << 8 | b] = next);
    }

    private static void value(byte state) {
        on(state, "\"", TEXT);
        on(state, "{", OPENS_OBJECT);
        on(state, "[", OPENS_ARRAY);
        on(state, "-", MINUS);
        on(state, DIGITS, INTEGER);
        on(state, "0", ZERO);
        on(state, "t", TRUE);
        on(state, "f", FALSE);
        on(state, "n", NULL);
    }

    private static void text(byte state, byte escape, byte end) {
        Arrays.fill(NEXT, state << 8 | ' ', (state + 1) << 8, state);
        on(state, "\"", end);
        on(state, "\\", escape);
        on(escape, "\"\\/bfnrt", state);
        on(escape, "u", (byte) (escape + 1));
        for (int digit = 1; digit <= 4; digit++) {
            on((byte) (escape + digit), DIGITS + "abcdefABCDEF",
                    digit == 4 ? state : (byte) (escape + digit + 1));
        }
    }

    private static void numbers() {
        for (byte whole : new byte[] {ZERO, INTEGER, FRACTION, EXPONENT}) {
            Arrays.fill(NEXT, whole << 8, (whole + 1) << 8, FOLLOWS_NUMBER);
        }
        on(MINUS, DIGITS, INTEGER);
        on(MINUS, "0", ZERO);
        on(ZERO, ".", POINT);
        on(ZERO, "eE", E);
        on(INTEGER, DIGITS, INTEGER);
        on(INTEGER, ".", POINT);
        on(INTEGER, "eE", E);
        on(POINT, DIGITS, FRACTION);
        on(FRACTION, DIGITS, FRACTION);
        on(FRACTION, "eE", E);
        on(E, "+-", E_SIGN);
        on(E, DIGITS, EXPONENT);
        on(E_SIGN, DIGITS, EXPONENT);
        on(EXPONENT, DIGITS, EXPONENT);
    }

    private static void literal(String literal, byte behindFirst) {
        for (int i = 1; i < literal.length(); i++) {
            byte letter = (byte) (behindFirst + i - 1);
            on(letter, literal.substring(i, i + 1),
                    i + 1 == literal.length() ? ENDS_VALUE : (byte) (letter + 1));
        }
    }

    JsonScanner() {
        after[0] = DONE;
    }

    /** Prepares for another value. */
    void reset() {
        state = VALUE;
        depth = 0;
    }

    /** Returns whether the value is complete; a number may still continue. */
    boolean isWhole() {
        return state == DONE || depth == 0
                && (state == ZERO || state == INTEGER || state == FRACTION || state == EXPONENT);
    }

    /** Returns whether an invalid byte was found. */
    boolean isBroken() {
        return state == BREAKS;
    }

    /**
     * Scans the next bytes.
     *
     * @return the index after the value, the index of the invalid byte, or {@code to}
     */
    int scan(ByteBuffer bytes, int from, int to) {
        int at = from;
        byte current = state;
        while (at < to && current >= 0 && current != DONE) {
            byte next = NEXT[current << 8 | bytes.get(at) & 0xFF];
            if (next < 0) {
                current = act(next);
                at += next == FOLLOWS_NUMBER || current == BREAKS ? 0 : 1;
            } else {
                current = next;
                at++;
                if (next == TEXT) {
                    at = skipPlain(bytes, at, to);
                }
            }
        }
        state = current;
        return at;
    }

    private static int skipPlain(ByteBuffer bytes, int from, int to) {
        int at = from;
        while (at < to && NEXT[TEXT << 8 | bytes.get(at) & 0xFF] == TEXT) {
            at++;
        }
        return at;
    }

    private byte act(byte action) {
        return switch (action) {
            case ENDS_VALUE, FOLLOWS_NUMBER -> after[depth];
            case OPENS_OBJECT -> open(FIRST_NAME, AFTER_MEMBER);
            case OPENS_ARRAY -> open(FIRST_ELEMENT, AFTER_ELEMENT);
            case CLOSES -> after[--depth];
            default -> BREAKS;
        };
    }

    private byte open(byte first, byte afterValue) {
        if (depth == MAX_DEPTH) {
            return BREAKS;
        }
        if (++depth == after.length) {
            after = Arrays.copyOf(after, 2 * depth);
        }
        after[depth] = afterValue;
        return first;
    }
}
