package io.sluice.handlers.files;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The entity tags in If-Match and If-None-Match (RFC 9110 sections 8.8.3, 13.1.1 and 13.1.2). */
final class EntityTags {
    /** A tag may contain commas. A malformed tag ends the list. */
    private static final Pattern NEXT =
            Pattern.compile("\\G[ \\t,]*+(?<weak>W/)?+(?<opaque>\"[!\\x23-\\x7E\\x80-\\xFF]*+\")");

    private EntityTags() {
    }

    /** Returns whether a tag, or {@code *}, matches a state; weak tags only if {@code weakIsEnough}. */
    static boolean contain(List<String> fields, Validators state, boolean weakIsEnough) {
        return fields.stream().anyMatch(field -> contains(field, state, weakIsEnough));
    }

    private static boolean contains(String field, Validators state, boolean weakIsEnough) {
        if (field.strip().equals("*")) {
            return true;
        }
        Matcher tag = NEXT.matcher(field);
        while (tag.find()) {
            boolean strong = tag.group("weak") == null && !state.weak();
            String opaque = tag.group("opaque");
            if ((strong || weakIsEnough)
                    && (opaque.equals(state.opaque()) || CodedTag.uncoded(opaque).equals(state.opaque()))) {
                return true;
            }
        }
        return false;
    }
}
