package io.sluice.handlers.files;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.handlers.HttpException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a request names: such as can only be below a directory.
 *
 * @param names of directories and at last of a file, neither empty nor made of dots, and without slashes
 * @param directory whether a slash follows the last of them
 */
record RequestedPath(List<String> names, boolean directory) {
    /** What is hidden elsewhere is meant to be found there (RFC 8615). */
    private static final String WELL_KNOWN = ".well-known";

    /**
     * Reads the rest of a normalised path, in which {@code %2F} and {@code %25} have been kept.
     *
     * @param skip so many segments, which are the route's
     * @throws HttpException 404 where it cannot be the name of a file that is served
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

    /** The name of the file, where this one stands for a directory. */
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
