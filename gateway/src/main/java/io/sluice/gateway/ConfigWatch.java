package io.sluice.gateway;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Notices that a file of the configuration has changed: by looking at each of them, so that links which are
 * moved, as Kubernetes does with a ConfigMap, are noticed like a file that is written. Not thread-safe.
 */
final class ConfigWatch {
    private Map<Path, Object> loaded = Map.of();
    private Map<Path, Object> seen = Map.of();

    private record State(Object file, Object modified, long size) {
    }

    /** The files as they are now are those of the configuration. */
    void loaded(List<Path> files) {
        loaded = look(files);
        seen = loaded;
    }

    /** Whether a file differs from what was loaded, and has not changed since this was asked before. */
    boolean hasChanged() {
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
            return e.getClass(); // it may come
        }
    }
}
