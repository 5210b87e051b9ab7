package io.sluice.config.read;

import io.sluice.config.CorsConfig;
import io.sluice.config.HandlerConfig;
import io.sluice.config.RouteConfig;
import io.sluice.config.type.HeaderName;
import io.sluice.config.type.Method;
import io.sluice.config.type.OriginPattern;
import io.sluice.config.type.PathTemplate;
import java.util.Set;

/** Checks what routes say of files and of pages that may read their answers. */
final class AnswerChecks {
    private final Blame blame;

    AnswerChecks(Blame blame) {
        this.blame = blame;
    }

    /** Notes a mistake. */
    @FunctionalInterface
    interface Blame {
        void wrong(Object value, String expected, String... path);
    }

    void checkFiles(String name, RouteConfig route, HandlerConfig.Files files) {
        if (route.path() != null && !route.path().segments().contains(new PathTemplate.Rest())) {
            blame.wrong(route.path(), "a path that ends with **, such as /static/**", "routes", name, "path");
        }
        if (route.methods() != null && !Set.of(Method.GET, Method.HEAD).containsAll(route.methods())) {
            blame.wrong(route.methods(), "GET and HEAD alone", "routes", name, "methods");
        }
        if (files.directory() != null && files.directory().isBlank()) {
            blame.wrong("\"\"", "a directory", "routes", name, "directory");
        }
        if (files.index() != null && files.index().indexOf('/') >= 0) {
            blame.wrong(files.index(), "the name of a file", "routes", name, "index");
        }
    }

    /** Any page at all could use what its reader is logged in to. */
    void checkCors(String name, RouteConfig route) {
        CorsConfig cors = route.cors().orElse(null);
        if (cors == null || !cors.credentials()) {
            return;
        }
        if (cors.origins() != null && cors.origins().contains(OriginPattern.ANY)) {
            blame.wrong("*", "origins by name where credentials = true", "routes", name, "cors", "origins");
        }
        if (cors.expose() != null && cors.expose().contains(HeaderName.ANY)) {
            blame.wrong("*", "headers by name where credentials = true", "routes", name, "cors", "expose");
        }
    }
}
