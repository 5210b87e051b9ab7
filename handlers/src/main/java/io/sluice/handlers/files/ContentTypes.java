package io.sluice.handlers.files;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Properties;

/** The media types of files by their extensions. Uses a table of its own, since those of systems differ. */
final class ContentTypes {
    private static final String UNKNOWN = "application/octet-stream";
    private static final Properties TYPES = load();

    private ContentTypes() {
    }

    private static Properties load() {
        try (InputStream table = ContentTypes.class.getResourceAsStream("content-types.properties")) {
            var types = new Properties();
            types.load(new InputStreamReader(table, StandardCharsets.UTF_8));
            return types;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the media type of a file with that name. */
    static String of(String name) {
        int dot = name.lastIndexOf('.');
        String ending = dot < 0 ? "" : name.substring(dot + 1).toLowerCase(Locale.ROOT);
        return TYPES.getProperty(ending, UNKNOWN);
    }
}
