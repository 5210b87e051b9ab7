package io.sluice.config.type;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** A directory in which files can be made when the configuration is read. */
public record WritableDirectory(Path path) {
    public static final String EXPECTED = "a directory";

    /**
     * Looks for it; a relative path begins where the gateway was started.
     *
     * @throws IllegalArgumentException with what was expected instead
     */
    public static WritableDirectory parse(String text) {
        try {
            Path path = Path.of(text);
            if (!text.isEmpty() && Files.isDirectory(path) && Files.isWritable(path)) {
                return new WritableDirectory(path);
            }
        } catch (InvalidPathException e) {
            // Such a directory cannot be there either.
        }
        throw new IllegalArgumentException("a directory that is there and can be written to");
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
