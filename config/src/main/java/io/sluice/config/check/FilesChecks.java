package io.sluice.config.check;

import io.sluice.config.HandlerConfig;
import io.sluice.config.RouteConfig;
import io.sluice.config.type.Method;
import io.sluice.config.type.PathTemplate;
import java.util.Set;

/** Checks routes of the kind {@code files}. */
final class FilesChecks {

    private FilesChecks() {
    }

    static void check(RouteConfig route, HandlerConfig.Files files, Setting at) {
        if (route.path() != null && !route.path().segments().contains(new PathTemplate.Rest())) {
            at.at("path").wrong(route.path(), "a path that ends with **, such as /static/**");
        }
        if (route.methods() != null && !Set.of(Method.GET, Method.HEAD).containsAll(route.methods())) {
            at.at("methods").wrong(route.methods(), "GET and HEAD alone");
        }
        if (files.directory() != null && files.directory().isBlank()) {
            at.at("directory").wrong("\"\"", "a directory");
        }
        if (files.index() != null && files.index().indexOf('/') >= 0) {
            at.at("index").wrong(files.index(), "the name of a file");
        }
        files.cacheControl().ifPresent(value -> HeaderText.check(value, at.at("cache-control")));
    }
}
