package io.sluice.offload.spill;

import io.netty.util.concurrent.Ticker;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Temporary disk space of bounded size. All spills share one file, and so one file descriptor. The file is
 * created for the first spill, deleted at once while it stays open, and allocated in blocks. Thread-safe.
 */
public final class SpillSpace implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SpillSpace.class);
    /** The time after which a disk that was full is measured again. */
    private static final long MEASURE_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** A response or upload has one task at a time, with the deadline of its exchange. */
    private static final PoolConfig WORKERS =
            PoolConfig.of(PoolConfig.Kind.PLATFORM, 4, 10_000, Duration.ofDays(1));

    /** A space without room, so that every write fails. */
    public static final SpillSpace NONE = new SpillSpace(new SpillConfig(Optional.empty(), new ByteSize(0)));

    /** The size of a block in bytes. */
    static final int BLOCK = 64 * 1024;

    private final Path directory;
    private final DiskRoom room;
    private final Ticker clock;
    private final Blocks blocks;
    private final LongAdder begun = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final RareWarning warnings = new RareWarning();
    /** Null before the start. */
    private volatile @Nullable Offload workers;
    /**
     * Null before the first spill. Guarded by this object's monitor, which is held during disk operations.
     */
    private @Nullable FileChannel file;
    private boolean closed;
    private boolean wasMeasured;
    private long measured;

    /** Creates a space; its file is not created yet. */
    public SpillSpace(SpillConfig config) {
        this(config, DiskRoom::ofFileStore, Ticker.systemTicker());
    }

    SpillSpace(SpillConfig config, DiskRoom room, Ticker clock) {
        this.room = room;
        this.clock = clock;
        directory = config.directory().map(WritableDirectory::path)
                .orElseGet(() -> Path.of(System.getProperty("java.io.tmpdir")));
        blocks = new Blocks(Math.toIntExact(config.limit().bytes() / BLOCK));
    }

    /** Starts the pool {@code spill}, whose workers read responses and write uploads, and returns it. */
    public Offload start(PoolObserver observer) {
        workers = Offload.start("spill", WORKERS, observer);
        return workers;
    }

    /** Creates an empty spill, which has no blocks yet; owned by the caller. */
    public Spill begin(ClientNetwork client) {
        begun.increment();
        return new Spill(this, client);
    }

    /** Returns the number of spills so far. */
    public long begun() {
        return begun.sum();
    }

    /** Returns the number of spills that could not be written or read. */
    public long refused() {
        return refused.sum();
    }

    /** Returns the space in use, in bytes. */
    public long used() {
        return (long) blocks.used() * BLOCK;
    }

    Blocks blocks() {
        return blocks;
    }

    /**
     * Allocates a block for a client. Blocks, as a disk that was full is measured again.
     *
     * @throws SpillException if no block is left, or the client has its share
     */
    int take(ClientNetwork client) throws IOException {
        try {
            return blocks.take(client);
        } catch (SpillException full) {
            if (!measureAgain()) {
                throw full;
            }
            return blocks.take(client);
        }
    }

    /** Returns whether the limit may be another one now. */
    private synchronized boolean measureAgain() throws IOException {
        if (closed || !wasMeasured || clock.nanoTime() - measured < MEASURE_NANOS) {
            return false;
        }
        measure(file == null || !file.isOpen() ? 0 : file.size());
        return true;
    }

    /** Returns the pool whose workers read spills, and write those of uploads. */
    public Offload workers() {
        Offload started = workers;
        if (started == null) {
            throw new IllegalStateException("disk space: no workers (expected: started)");
        }
        return started;
    }

    /** Returns the file; creates it if there is none. Blocks. */
    synchronized FileChannel file() throws IOException {
        if (closed) {
            throw new SpillException("the gateway stops", null);
        }
        if (file == null || !file.isOpen()) { // NIO closes the file of an interrupted thread
            Path path = Files.createTempFile(directory, "sluice-spill", null);
            try {
                measure(0);
                file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
            } finally {
                Files.delete(path); // the open file remains usable
            }
        }
        return file;
    }

    /**
     * Limits the blocks to the room on the disk.
     *
     * @param size of the file in bytes
     */
    private void measure(long size) throws IOException {
        wasMeasured = true;
        measured = clock.nanoTime();
        long fits = room.bytes(directory, size);
        if (blocks.fit(fits / BLOCK)) {
            log.warn("sluice.offload.spill: {} has room for {} MiB", directory, fits >> 20);
        }
    }

    /** Counts and logs a failed spill, and returns the exception. */
    SpillException refused(SpillException full) {
        if (!blocks.isDisabled() && warnings.tryTake()) {
            log.warn("responses to slow clients are cut off and uploads refused, as {} cannot keep them: {}; "
                    + "see to that disk, or choose another, or a larger limit, by sluice.offload.spill",
                    directory, full.getCause() == null ? full.getMessage() : full.getCause().toString());
        }
        refused.increment();
        return full;
    }

    /** Counts and logs a failure of the disk, and returns an exception. */
    SpillException refused(IOException failure) {
        return refused(new SpillException("the disk fails", failure));
    }

    /** Closes the pool and the file, which frees its space. */
    @Override
    public void close() throws IOException {
        Offload started = workers;
        if (started != null) {
            started.close();
        }
        synchronized (this) {
            closed = true;
            if (file != null) {
                file.close();
            }
        }
    }
}
