package io.sluice.config.type;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** A directory that exists and is writable when the configuration is read. */
public record WritableDirectory(Path path) {
    public static final String EXPECTED = "a directory";

    /**
     * Checks the directory; a relative path is relative to the working directory.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public static WritableDirectory parse(String text) {
        try {
            Path path = Path.of(text);
            if (!text.isEmpty() && Files.isDirectory(path) && Files.isWritable(path)) {
                return new WritableDirectory(path);
            }
        } catch (InvalidPathException e) {
            // Such a directory cannot exist.
        }
        throw new IllegalArgumentException("a directory that is there and can be written to");
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
