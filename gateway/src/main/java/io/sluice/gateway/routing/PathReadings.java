package io.sluice.gateway.routing;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The paths as which a server behind a proxy's route may read a normalised path: without the parameters of
 * its segments (RFC 3986 section 3.3), with encoded slashes and backslashes as slashes, or both in either
 * order; each also with repeated slashes merged.
 */
final class PathReadings {
    private static final Pattern PARAMETERS = Pattern.compile(";[^/]*");
    private static final Pattern SLASHES = Pattern.compile("//+");

    private PathReadings() {
    }

    /** Returns the readings of a path; none for nearly all paths, which have but one. */
    static List<String> of(String path) {
        if (path.indexOf(';') < 0 && path.indexOf('\\') < 0 && !path.contains("%2F")) {
            return List.of();
        }
        String plain = withoutParameters(path);
        String separated = withSlashes(path);
        return Stream.of(plain, separated, withSlashes(plain), withoutParameters(separated))
                .flatMap(reading -> Stream.of(reading, SLASHES.matcher(reading).replaceAll("/")))
                .distinct().toList();
    }

    private static String withSlashes(String path) {
        return path.replace("%2F", "/").replace('\\', '/');
    }

    private static String withoutParameters(String path) {
        return PARAMETERS.matcher(path).replaceAll("");
    }
}
