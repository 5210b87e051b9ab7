package io.sluice.offload.spill;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** Measures the room for a file of spills. */
@FunctionalInterface
interface DiskRoom {
    /** Types of file stores in memory. */
    Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs");

    /**
     * Returns the room in bytes. Blocks.
     *
     * @param size of the file so far, whose space is free for it
     */
    long bytes(Path directory, long size) throws IOException;

    /** Returns half of the free space of a disk, and in a tmpfs a quarter of the maximum heap at most. */
    static long ofFileStore(Path directory, long size) throws IOException {
        FileStore disk = Files.getFileStore(directory);
        long fits = (disk.getUsableSpace() + size) / 2;
        return IN_MEMORY.contains(disk.type()) ? Math.min(fits, Runtime.getRuntime().maxMemory() / 4) : fits;
    }
}
