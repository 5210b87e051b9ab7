package io.sluice.loadtest.experiments.faults;

import io.sluice.loadtest.experiments.process.InstalledProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A directory on a file system of its own that can be filled: a tmpfs of 256 MiB, if this process may mount
 * one. Otherwise it is an ordinary directory. Unmounted and deleted when it is closed, or when this process
 * ends.
 */
final class SmallDisk implements AutoCloseable {

    private static final int PIECE = 4 * 1_024;

    private final Path directory;
    private final boolean mounted;
    private final Thread atTheEnd = new Thread(this::unmount, "unmount");

    private SmallDisk(Path directory, boolean mounted) {
        this.directory = directory;
        this.mounted = mounted;
    }

    /** Creates the directory, and mounts the file system if that is allowed; blocks. */
    static SmallDisk create() throws IOException {
        var directory = Files.createTempDirectory("sluice-disk-");
        var disk = new SmallDisk(directory, succeeds(
                "mount", "-t", "tmpfs", "-o", "size=256m,mode=700", "sluice-disk", directory.toString()));
        if (disk.mounted) {
            Runtime.getRuntime().addShutdownHook(disk.atTheEnd);
        }
        return disk;
    }

    Path directory() {
        return directory;
    }

    /** Returns whether the directory is a file system of its own, which can be filled. */
    boolean mounted() {
        return mounted;
    }

    /** Writes a file until nothing more can be written (ENOSPC). */
    void fill() throws IOException {
        var piece = new byte[PIECE];
        try (var filler = Files.newOutputStream(filler())) {
            while (free() > 0) {
                filler.write(piece);
            }
        } catch (IOException e) {
            if (free() > 0) {
                throw e;
            } // otherwise it is as full as it was to become
        }
    }

    /** Deletes that file. */
    void clear() throws IOException {
        Files.deleteIfExists(filler());
    }

    /** The free space in bytes. */
    long free() throws IOException {
        return Files.getFileStore(directory).getUsableSpace();
    }

    private Path filler() {
        return directory.resolve("filler");
    }

    /** Detaches the file system; it exists until the last of its files is closed. */
    private void unmount() {
        succeeds("umount", "-l", directory.toString());
    }

    /** Runs a command without the bookkeeping for servers, which starts nothing while this process ends. */
    private static boolean succeeds(String... command) {
        try {
            return InstalledProgram.find(command[0]).isPresent() && new ProcessBuilder(List.of(command))
                    .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start().waitFor() == 0;
        } catch (IOException _) {
            return false;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        clear();
        if (mounted) {
            unmount();
            Runtime.getRuntime().removeShutdownHook(atTheEnd);
        }
        Files.delete(directory);
    }
}
