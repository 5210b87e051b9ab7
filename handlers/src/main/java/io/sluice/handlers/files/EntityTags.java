package io.sluice.handlers.files;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The entity tags in If-Match and If-None-Match (RFC 9110 sections 8.8.3, 13.1.1 and 13.1.2). */
final class EntityTags {
    /** A tag may contain commas. A malformed tag ends the list. */
    private static final Pattern NEXT =
            Pattern.compile("\\G[ \\t,]*+(?<weak>W/)?+(?<opaque>\"[!\\x23-\\x7E\\x80-\\xFF]*+\")");
    /** The most tags that are compared, since an event loop may do it. Further ones match nothing. */
    private static final int MAX = 100;

    private EntityTags() {
    }

    /**
     * Returns whether a tag, or {@code *}, matches a state; weak tags only if {@code weakIsEnough}.
     *
     * @param coded the tag of the state's coded representation; null if there is none
     */
    static boolean contain(List<String> fields, Validators state, @Nullable String coded,
                           boolean weakIsEnough) {
        int compared = 0;
        for (String field : fields) {
            if (field.strip().equals("*")) {
                return true;
            }
            Matcher tag = NEXT.matcher(field);
            while (compared < MAX && tag.find()) {
                compared++;
                boolean strong = tag.group("weak") == null && !state.weak();
                String opaque = tag.group("opaque");
                if ((strong || weakIsEnough) && (opaque.equals(state.opaque()) || opaque.equals(coded))) {
                    return true;
                }
            }
        }
        return false;
    }
}
