package io.sluice.config.type;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** A directory that must exist and be writable when the gateway starts. */
public record WritableDirectory(Path path) {
    public static final String EXPECTED = "a directory";

    /**
     * Accepts any path; a relative one is relative to the working directory.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public static WritableDirectory parse(String text) {
        try {
            if (!text.isEmpty()) {
                return new WritableDirectory(Path.of(text));
            }
        } catch (InvalidPathException e) {
            // Such a directory cannot exist.
        }
        throw new IllegalArgumentException(EXPECTED);
    }

    /** Returns whether it can be written to. Blocks. */
    public boolean isWritable() {
        return Files.isDirectory(path) && Files.isWritable(path);
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
