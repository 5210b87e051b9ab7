package io.sluice.handlers.proxy;

import io.sluice.config.type.PathTemplate;
import io.sluice.config.type.PathTemplate.Literal;
import io.sluice.config.type.PathTemplate.Rest;
import io.sluice.config.type.PathTemplate.Segment;
import java.util.List;

/** Composes paths for an upstream from a template, with the segments of clients' paths as captures. */
final class PathRewrite {
    /** Stands for a literal, and for no segment of the client's path. */
    private static final int LITERAL = -1;

    private final List<Segment> template;
    /** For each segment of the template, the index of the client's segment; or {@link #LITERAL}. */
    private final int[] sources;

    /**
     * Creates a rule.
     *
     * @param path of the route, which has all captures of the template
     */
    PathRewrite(PathTemplate path, PathTemplate template) {
        this.template = template.segments();
        sources = this.template.stream().mapToInt(segment ->
                segment instanceof Literal ? LITERAL : path.segments().indexOf(segment)).toArray();
    }

    /**
     * Returns the path for the upstream.
     *
     * @param path that the route has matched, as the client has sent it; without empty and dot segments
     */
    String of(String path) {
        var rewritten = new StringBuilder(2 * path.length());
        for (int i = 0; i < sources.length; i++) {
            Segment segment = template.get(i);
            if (segment instanceof Literal(String text)) {
                rewritten.append('/').append(text);
            } else {
                int slash = slash(path, sources[i]);
                rewritten.append(path, slash, segment instanceof Rest ? path.length() : next(path, slash));
            }
        }
        return rewritten.isEmpty() ? "/" : rewritten.toString();
    }

    /** Returns the index of the slash before a segment; the end of the path if there is none. */
    private static int slash(String path, int segment) {
        int slash = 0;
        for (int i = 0; i < segment; i++) {
            slash = next(path, slash);
        }
        return slash;
    }

    private static int next(String path, int slash) {
        int next = path.indexOf('/', slash + 1);
        return next < 0 ? path.length() : next;
    }
}
