package io.sluice.handlers.files;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.handlers.HttpException;
import java.util.ArrayList;
import java.util.List;

/**
 * The path of a requested file below a directory.
 *
 * @param names the names of directories and finally of a file; not empty, {@code .} or {@code ..}, no slashes
 * @param directory whether a slash follows the last name
 */
record RequestedPath(List<String> names, boolean directory) {
    /** Served although hidden names are not (RFC 8615). */
    private static final String WELL_KNOWN = ".well-known";

    /**
     * Takes the rest of a normalised path, in which {@code %2F} and {@code %25} are still encoded.
     *
     * @param skip the number of segments that belong to the route
     * @throws HttpException 404 if it cannot be the name of a served file
     */
    static RequestedPath of(String path, int skip) {
        String[] segments = path.substring(1).split("/", -1);
        var names = new ArrayList<String>(segments.length);
        boolean directory = false;
        for (int i = skip; i < segments.length; i++) {
            directory = i == segments.length - 1 && segments[i].isEmpty();
            if (!directory) {
                names.add(name(segments[i], i == skip));
            }
        }
        return new RequestedPath(List.copyOf(names), directory);
    }

    /** Returns the name of the file, which is the index for a directory. */
    String fileName(String index) {
        return directory || names.isEmpty() ? index : names.getLast();
    }

    private static String name(String segment, boolean first) {
        boolean hidden = segment.startsWith(".") && !(first && segment.equals(WELL_KNOWN));
        if (segment.isEmpty() || hidden || segment.contains("%2F") || segment.indexOf('\\') >= 0
                || segment.chars().anyMatch(Character::isISOControl)) {
            throw new HttpException(HttpResponseStatus.NOT_FOUND, "no such file");
        }
        return segment.replace("%25", "%");
    }
}
