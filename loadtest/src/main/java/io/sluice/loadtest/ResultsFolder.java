package io.sluice.loadtest;

import java.net.URISyntaxException;
import java.nio.file.Path;

/** Where results go unless told otherwise. */
final class ResultsFolder {

    private ResultsFolder() {}

    /** {@code gatling} beside this module's jar or classes, which is {@code loadtest/target/gatling}. */
    static Path ofThisModule() {
        try {
            var classes = LoadTest.class.getProtectionDomain().getCodeSource().getLocation().toURI();
            return Path.of(classes).resolveSibling("gatling");
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
