package io.sluice.config.type;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** A file that exists and is readable when the configuration is read. */
public record ReadableFile(Path path) {
    public static final String EXPECTED = "a file";

    /**
     * Checks the file; a relative path is relative to the working directory.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public static ReadableFile parse(String text) {
        try {
            Path path = Path.of(text);
            if (!text.isEmpty() && Files.isReadable(path) && !Files.isDirectory(path)) {
                return new ReadableFile(path);
            }
        } catch (InvalidPathException e) {
            // Such a file cannot exist.
        }
        throw new IllegalArgumentException("a file that is there and can be read");
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
