package io.sluice.config.read;

import io.sluice.config.type.FileState;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Detects changes of the configuration's files. It compares the state of each file instead of watching
 * directories, so that it also detects a moved symbolic link, by which Kubernetes updates a ConfigMap. Not
 * thread-safe; methods block on the file system.
 */
public final class ConfigWatch {
    private Map<Path, FileState> loaded = Map.of();
    private Map<Path, FileState> seen = Map.of();

    /** Sets the states in which files were read. */
    public void loaded(Map<Path, FileState> files) {
        loaded = files;
        seen = files;
    }

    /**
     * Returns whether a file differs from its loaded state and has not changed since the previous call. A
     * file that is still being written is thus reported one call later. A state is reported once.
     */
    public boolean hasChanged() {
        var now = new LinkedHashMap<Path, FileState>();
        loaded.keySet().forEach(file -> now.put(file, FileState.of(file)));
        boolean settled = now.equals(seen);
        boolean changed = settled && !now.equals(loaded);
        seen = now;
        loaded = changed ? now : loaded;
        return changed;
    }

    /** Returns whether the files were in their loaded state at the last {@link #hasChanged}. */
    public boolean areAsLoaded() {
        return seen.equals(loaded);
    }
}
