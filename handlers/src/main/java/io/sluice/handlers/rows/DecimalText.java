package io.sluice.handlers.rows;

import java.math.BigDecimal;

/**
 * Converts the text of decimal numbers to that of JSON. Numbers with many digits need no conversion, which
 * would take time by the square of their number.
 */
final class DecimalText {
    /** Numbers with a larger scale get an exponent: 1E+100000 is short, its digits are not. */
    private static final int MAX_SCALE = 1000;

    private DecimalText() {
    }

    /** Returns whether a text is a number; PostgreSQL's numeric includes NaN and infinity. */
    static boolean isNumber(String value) {
        return !Character.isLetter(value.charAt(value.length() - 1));
    }

    /** Returns a number as JSON. */
    static String json(String value) {
        if (isPlainNumber(value)) {
            return value;
        }
        var number = new BigDecimal(value);
        return Math.abs((long) number.scale()) > MAX_SCALE ? number.toString() : number.toPlainString();
    }

    /** Returns whether a number is JSON as it is: digits without leading zeros, and no exponent. */
    private static boolean isPlainNumber(String value) {
        int first = value.charAt(0) == '-' ? 1 : 0;
        int length = value.length();
        if (length == first || !isDigit(value.charAt(length - 1))
                || !isDigit(value.charAt(first))
                || value.charAt(first) == '0' && length > first + 1 && value.charAt(first + 1) != '.') {
            return false;
        }
        int points = 0;
        for (int i = first; i < length; i++) {
            points += value.charAt(i) == '.' ? 1 : 0;
            if (points > 1 || value.charAt(i) != '.' && !isDigit(value.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
