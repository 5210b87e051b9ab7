package io.sluice.config.check;

import org.jspecify.annotations.Nullable;

/** Checks texts that become field values (RFC 9110 section 5.5, without obs-text). */
final class HeaderText {
    /** The requirement, as error messages state it. */
    static final String EXPECTED = "printable ASCII without spaces at its ends, as it becomes a header";

    private HeaderText() {
    }

    /** Returns whether a text can be a field value as it is. */
    static boolean isValue(String text) {
        return text.strip().equals(text) && text.chars().allMatch(c -> c >= ' ' && c <= '~');
    }

    static void check(@Nullable String value, Setting at) {
        if (value != null && !isValue(value)) {
            at.wrong(printable(value), EXPECTED);
        }
    }

    static String printable(String value) {
        return value.isEmpty() ? "\"\"" : value.replaceAll("[^ -~]", "?");
    }
}
