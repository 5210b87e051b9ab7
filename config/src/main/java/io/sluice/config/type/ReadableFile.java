package io.sluice.config.type;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** A file that must exist and be readable while a part of the gateway with this configuration starts. */
public record ReadableFile(Path path) {
    public static final String EXPECTED = "a file";

    /**
     * Accepts any path; a relative one is relative to the working directory.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public static ReadableFile parse(String text) {
        try {
            if (!text.isEmpty()) {
                return new ReadableFile(Path.of(text));
            }
        } catch (InvalidPathException e) {
            // Such a file cannot exist.
        }
        throw new IllegalArgumentException(EXPECTED);
    }

    /** Returns whether it can be read. Blocks. */
    public boolean isReadable() {
        return Files.isReadable(path) && !Files.isDirectory(path);
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
