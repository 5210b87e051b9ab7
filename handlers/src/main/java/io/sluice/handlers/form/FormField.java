package io.sluice.handlers.form;

import org.jspecify.annotations.Nullable;

/**
 * A field of a form.
 *
 * @param text the value; empty for a file
 * @param file the content of a file; null for a field that is no file
 * @param fileName the name that the client gives the file, or any if it gives none; empty if it has chosen
 *     no file
 */
public record FormField(String name, String text, byte @Nullable [] file, String fileName) {

    /** Creates a field that is no file. */
    FormField(String name, String text) {
        this(name, text, null, "");
    }

    /** Returns whether this is a file input in which no file has been chosen. */
    public boolean isNoFile() {
        return file != null && file.length == 0 && fileName.isEmpty();
    }
}
