package io.sluice.gateway.peer;

import java.util.List;

/**
 * The elements of a list header, the last one first: that is the nearest proxy's own. It is found whatever
 * stands before it, such as a quotation mark that a client has opened and not closed.
 */
final class ElementsFromRight {
    private final List<String> lines;
    private int remaining;
    private String line = "";
    /** Of what is left of the line; -1 for nothing. */
    private int end = -1;

    ElementsFromRight(List<String> lines) {
        this.lines = lines;
        remaining = lines.size();
    }

    /** The next one that is not empty; null behind the first. */
    String next() {
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
            quoted ^= line.charAt(at) == '"';
        }
        return at;
    }
}
