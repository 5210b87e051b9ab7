package io.sluice.gateway.peer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over the elements of a list header from the last one, which the nearest proxy added. It is found
 * whatever precedes it, such as an opening quotation mark that a client did not close.
 */
final class ElementsFromRight {
    private final List<String> lines;
    private int remaining;
    private String line = "";
    /** The end of the rest of the line; -1 if nothing is left. */
    private int end = -1;

    ElementsFromRight(List<String> lines) {
        this.lines = lines;
        remaining = lines.size();
    }

    /** Returns the next element that is not empty, from right to left; null after the first one. */
    @Nullable String next() {
        while (true) {
            if (end < 0) {
                if (remaining == 0) {
                    return null;
                }
                line = lines.get(--remaining);
                end = line.length();
            }
            int begin = begin();
            String element = line.substring(begin, end).strip();
            end = begin - 1;
            if (!element.isEmpty()) {
                return element;
            }
        }
    }

    private int begin() {
        boolean quoted = false;
        int at = end;
        while (at > 0 && (quoted || line.charAt(at - 1) != ',')) {
            at--;
            quoted ^= line.charAt(at) == '"' && !(quoted && isEscaped(at));
        }
        return at;
    }

    /** Returns whether the character at an index follows a backslash that is not escaped itself. */
    private boolean isEscaped(int index) {
        int backslashes = 0;
        while (backslashes < index && line.charAt(index - 1 - backslashes) == '\\') {
            backslashes++;
        }
        return backslashes % 2 == 1;
    }
}
