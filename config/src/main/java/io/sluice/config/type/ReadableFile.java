package io.sluice.config.type;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** A file that is there and can be read when the configuration is. */
public record ReadableFile(Path path) {
    public static final String EXPECTED = "a file";

    /**
     * Looks for it; a relative path begins where the gateway was started.
     *
     * @throws IllegalArgumentException with what was expected instead
     */
    public static ReadableFile parse(String text) {
        try {
            Path path = Path.of(text);
            if (!text.isEmpty() && Files.isReadable(path) && !Files.isDirectory(path)) {
                return new ReadableFile(path);
            }
        } catch (InvalidPathException e) {
            // Such a file cannot be there either.
        }
        throw new IllegalArgumentException("a file that is there and can be read");
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
