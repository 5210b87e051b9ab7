package io.sluice.offload.spill;

import io.sluice.config.ByteSize;
import io.sluice.config.Share;
import io.sluice.config.SpillConfig;
import io.sluice.offload.ClientNetwork;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
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

    /** No space at all. */
    public static final SpillSpace NONE = new SpillSpace(new SpillConfig("", new ByteSize(0)));

    /** In bytes. */
    static final int BLOCK = 64 * 1024;
    /** The share of all blocks that one client may have. */
    private static final Share OF_A_CLIENT = new Share(50);

    private final Path directory;
    private int blocks;
    private final BitSet taken = new BitSet();
    private final Map<ClientNetwork, Integer> byClient = new HashMap<>();
    /** Null before the first spill. */
    private FileChannel file;
    private boolean closed;
    private final LongAdder begun = new LongAdder();
    private final LongAdder refused = new LongAdder();

    /** Space as configured; nothing is made yet. */
    public SpillSpace(SpillConfig config) {
        directory = Path.of(config.directory().isEmpty() ? System.getProperty("java.io.tmpdir")
                : config.directory());
        blocks = Math.toIntExact(config.limit().bytes() / BLOCK);
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

    /** The number of spills that could not go on. */
    public long refused() {
        return refused.sum();
    }

    /** The space in use, in bytes. */
    public synchronized long used() {
        return (long) taken.cardinality() * BLOCK;
    }

    /**
     * Takes a block for a client.
     *
     * @throws SpillException where none is left for it
     */
    synchronized int take(ClientNetwork client) throws SpillException {
        int block = taken.nextClearBit(0);
        int ofClient = byClient.getOrDefault(client, 0);
        if (block >= blocks || ofClient >= OF_A_CLIENT.of(blocks)) {
            refused.increment();
            throw new SpillException(block >= blocks ? "no space is left"
                    : "its client has half of all space");
        }
        taken.set(block);
        byClient.put(client, ofClient + 1);
        return block;
    }

    synchronized void giveBack(ClientNetwork client, int block) {
        taken.clear(block);
        byClient.computeIfPresent(client, (_, count) -> count == 1 ? null : count - 1);
    }

    /** The file; made where there is none. */
    synchronized FileChannel file() throws IOException {
        if (closed) {
            throw new SpillException("the gateway stops");
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
        if (fits / BLOCK < blocks) {
            blocks = (int) (fits / BLOCK);
            log.warn("sluice.offload.spill: {} has room for {} MiB", directory, fits >> 20);
        }
    }

    /** Closes the file, and so frees its space. */
    @Override
    public synchronized void close() throws IOException {
        closed = true;
        if (file != null) {
            file.close();
        }
    }
}
