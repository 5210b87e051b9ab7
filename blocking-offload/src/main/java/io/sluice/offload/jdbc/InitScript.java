package io.sluice.offload.jdbc;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads an SQL script from a file or, if there is no such file, from the class path. Blocks. */
public final class InitScript {

    private InitScript() {
    }

    /**
     * Returns the text of a script.
     *
     * @throws IOException if there is neither, or it cannot be read
     */
    public static String read(String name) throws IOException {
        Path file = Path.of(name);
        if (Files.exists(file)) {
            return Files.readString(file);
        }
        try (InputStream in = InitScript.class.getClassLoader().getResourceAsStream(name)) {
            if (in == null) {
                throw new FileNotFoundException("no such file, nor a resource of that name");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
