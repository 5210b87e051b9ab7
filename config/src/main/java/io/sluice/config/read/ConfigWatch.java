package io.sluice.config.read;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Detects changes of the configuration's files. It compares the state of each file instead of watching
 * directories, so that it also detects a moved symbolic link, by which Kubernetes updates a ConfigMap. Not
 * thread-safe; methods block on the file system.
 */
public final class ConfigWatch {
    private Map<Path, Object> loaded = Map.of();
    private Map<Path, Object> seen = Map.of();

    private record State(Object file, Object modified, long size) {
    }

    /** Records the present state of these files as the loaded one. */
    public void loaded(List<Path> files) {
        loaded = look(files);
        seen = loaded;
    }

    /**
     * Returns whether a file differs from its loaded state and has not changed since the previous call. A
     * file that is still being written is thus reported one call later.
     */
    public boolean hasChanged() {
        Map<Path, Object> now = look(List.copyOf(loaded.keySet()));
        boolean settled = now.equals(seen);
        seen = now;
        return settled && !now.equals(loaded);
    }

    private static Map<Path, Object> look(List<Path> files) {
        var states = new LinkedHashMap<Path, Object>();
        files.forEach(file -> states.put(file, state(file)));
        return states;
    }

    private static Object state(Path file) {
        try {
            var attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return new State(attributes.fileKey(), attributes.lastModifiedTime(), attributes.size());
        } catch (IOException e) {
            return e.getClass(); // the file may appear later
        }
    }
}
