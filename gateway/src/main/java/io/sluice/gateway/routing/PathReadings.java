package io.sluice.gateway.routing;

import java.util.List;
import java.util.regex.Pattern;

/**
 * The paths as which a server behind a proxy's route may read a normalised path: without the parameters of
 * its segments (RFC 3986 section 3.3), with encoded slashes and backslashes as slashes, or both in either
 * order.
 */
final class PathReadings {
    private static final Pattern PARAMETERS = Pattern.compile(";[^/]*");

    private PathReadings() {
    }

    /** Returns the other readings of a path; none for nearly all paths. */
    static List<String> of(String path) {
        boolean parameters = path.indexOf(';') >= 0;
        boolean slashes = path.contains("%2F") || path.indexOf('\\') >= 0;
        if (!parameters) {
            return slashes ? List.of(withSlashes(path)) : List.of();
        }
        String plain = withoutParameters(path);
        return slashes ? List.of(plain, withSlashes(plain), withSlashes(path),
                withoutParameters(withSlashes(path))) : List.of(plain);
    }

    private static String withSlashes(String path) {
        return path.replace("%2F", "/").replace('\\', '/');
    }

    private static String withoutParameters(String path) {
        return PARAMETERS.matcher(path).replaceAll("");
    }
}
