package io.sluice.config.check;

import org.jspecify.annotations.Nullable;

/** Checks texts that become field values (RFC 9110 section 5.5, without obs-text). */
final class HeaderText {

    private HeaderText() {
    }

    static void check(@Nullable String value, Setting at) {
        if (value != null
                && (!value.strip().equals(value) || value.chars().anyMatch(c -> c < ' ' || c > '~'))) {
            at.wrong(printable(value), "printable ASCII without outer spaces, as it becomes a header");
        }
    }

    static String printable(String value) {
        return value.isEmpty() ? "\"\"" : value.replaceAll("[^ -~]", "?");
    }
}
