package io.sluice.offload.spill;

import io.sluice.config.PoolConfig;
import io.sluice.config.SpillConfig;
import io.sluice.config.type.ByteSize;
import io.sluice.config.type.WritableDirectory;
import io.sluice.offload.ClientNetwork;
import io.sluice.offload.Offload;
import io.sluice.offload.PoolObserver;
import io.sluice.offload.RareWarning;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Temporary disk space of bounded size: one file, however many spills share it, so that they cost no file
 * descriptors. It is made when it is needed first, has no name from then on, and is handed out in blocks.
 * Thread-safe.
 */
public final class SpillSpace implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SpillSpace.class);
    private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs");
    /** Each answer has one task at a time, for as long as its exchange has. */
    private static final PoolConfig READERS =
            PoolConfig.of(PoolConfig.Kind.PLATFORM, 4, 10_000, Duration.ofDays(1));

    /** No space at all. */
    public static final SpillSpace NONE = new SpillSpace(new SpillConfig(Optional.empty(), new ByteSize(0)));

    /** In bytes. */
    static final int BLOCK = 64 * 1024;

    private final Path directory;
    private final Blocks blocks;
    private final LongAdder begun = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final RareWarning warnings = new RareWarning();
    /** Null before the start. */
    private volatile Offload readers;
    /** Null before the first spill. Guarded by this monitor, which is held while the disk is waited for. */
    private FileChannel file;
    private boolean closed;

    /** Space as configured; nothing is made yet. */
    public SpillSpace(SpillConfig config) {
        directory = config.directory().map(WritableDirectory::path)
                .orElseGet(() -> Path.of(System.getProperty("java.io.tmpdir")));
        blocks = new Blocks(Math.toIntExact(config.limit().bytes() / BLOCK));
    }

    /** Starts the workers that read spills, which is not to be counted as work of those that wrote them. */
    public Offload start(PoolObserver observer) {
        readers = Offload.start("spill", READERS, observer);
        return readers;
    }

    /** Begins a spill, which takes no space before it is written to; owned by the caller. */
    public Spill begin(ClientNetwork client) {
        begun.increment();
        return new Spill(this, client);
    }

    /** The number of spills so far. */
    public long begun() {
        return begun.sum();
    }

    /** The number of spills that could not be written or read. */
    public long refused() {
        return refused.sum();
    }

    /** The space in use, in bytes. */
    public long used() {
        return (long) blocks.used() * BLOCK;
    }

    Blocks blocks() {
        return blocks;
    }

    Offload readers() {
        return readers;
    }

    /** The file; made where there is none. */
    synchronized FileChannel file() throws IOException {
        if (closed) {
            throw new SpillException("the gateway stops", null);
        }
        if (file == null || !file.isOpen()) { // an interrupted worker closes what it reads or writes
            Path path = Files.createTempFile(directory, "sluice-spill", null);
            try {
                shrinkToFit(Files.getFileStore(path));
                file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
            } finally {
                Files.delete(path); // it lives on until it is closed
            }
        }
        return file;
    }

    /** Leaves others half of what is free on a disk, and takes little of a disk that is memory. */
    private void shrinkToFit(FileStore disk) throws IOException {
        long fits = disk.getUsableSpace() / 2;
        if (IN_MEMORY.contains(disk.type())) {
            fits = Math.min(fits, Runtime.getRuntime().maxMemory() / 4);
        }
        if (blocks.lower(fits / BLOCK)) {
            log.warn("sluice.offload.spill: {} has room for {} MiB", directory, fits >> 20);
        }
    }

    /** Counts a spill that cannot go on, and returns the reason. */
    SpillException refused(SpillException full) {
        refused.increment();
        return full;
    }

    /** The same where the disk is the reason, which is told to operators. */
    SpillException refused(IOException failure) {
        if (warnings.isDue()) {
            log.warn("answers of slow clients are cut off, as they cannot be kept in {}: {}; "
                    + "see to that disk, or choose another by sluice.offload.spill.directory",
                    directory, failure.toString());
        }
        return refused(new SpillException("the disk fails", failure));
    }

    /** Ends the readers and closes the file, and so frees its space. */
    @Override
    public void close() throws IOException {
        if (readers != null) {
            readers.close();
        }
        synchronized (this) {
            closed = true;
            if (file != null) {
                file.close();
            }
        }
    }
}
