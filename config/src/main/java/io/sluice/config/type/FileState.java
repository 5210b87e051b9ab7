package io.sluice.config.type;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The state of a file, by which a change of it is noticed. That of a link is the state of the file to which
 * it leads.
 *
 * @param file identifies the file, or is why there is none
 * @param modified the time of its last change
 */
public record FileState(Object file, Object modified, long size) {

    /** Returns the present state of a file, which may be missing. Blocks. */
    public static FileState of(Path file) {
        try {
            var attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return new FileState(String.valueOf(attributes.fileKey()), attributes.lastModifiedTime(),
                    attributes.size());
        } catch (IOException e) {
            return new FileState(e.getClass(), "", 0); // the file may appear later
        }
    }
}
