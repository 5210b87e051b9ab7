package io.sluice.loadtest;

import java.net.URISyntaxException;
import java.nio.file.Path;

/** The default folder of results. */
final class ResultsFolder {

    private ResultsFolder() {}

    /** A folder beside this module's jar or classes: {@code loadtest/target/NAME}. */
    static Path ofThisModule(String name) {
        try {
            var classes = LoadTest.class.getProtectionDomain().getCodeSource().getLocation().toURI();
            return Path.of(classes).resolveSibling(name);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
