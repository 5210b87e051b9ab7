package io.sluice.gateway.openapi;

import io.sluice.config.type.PathTemplate;
import io.sluice.config.type.PathTemplate.Capture;
import io.sluice.config.type.PathTemplate.Literal;
import io.sluice.config.type.PathTemplate.Rest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A path template of OpenAPI. Templates that differ by the names of parameters alone are one path, so that
 * all routes of that path get the names of one. A rest of several segments, which OpenAPI does not
 * know, is a parameter.
 *
 * @param template such as {@code /orders/{id}}
 * @param names of the parameters, in the order of the path
 */
record ApiPath(String template, List<String> names) {

    /** Returns what is the same for routes of one path. */
    static String shape(PathTemplate path) {
        return path.segments().stream().map(segment -> segment instanceof Literal(String text) ? text : "{}")
                .collect(Collectors.joining("/", "/", ""));
    }

    /** Returns the path of a route. */
    static ApiPath of(PathTemplate path) {
        var names = new ArrayList<String>();
        String template = path.segments().stream().map(segment -> switch (segment) {
            case Literal(String text) -> text;
            case Capture(String name) -> braced(name, names);
            case Rest _ -> braced(path.captures("path") ? "rest" : "path", names);
        }).collect(Collectors.joining("/", "/", ""));
        return new ApiPath(template, names);
    }

    private static String braced(String name, List<String> names) {
        names.add(name);
        return '{' + name + '}';
    }
}
