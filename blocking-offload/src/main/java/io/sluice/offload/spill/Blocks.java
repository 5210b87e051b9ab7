package io.sluice.offload.spill;

import io.sluice.config.type.Share;
import io.sluice.offload.ClientNetwork;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Allocates the numbered blocks of a file, and counts them by client. Thread-safe; called by event loops, so
 * nothing blocks here.
 */
final class Blocks {
    /** The share of all blocks that one client may have. */
    private static final Share OF_A_CLIENT = new Share(50);

    private final BitSet taken = new BitSet();
    private final Map<ClientNetwork, Integer> byClient = new HashMap<>();
    private int limit;

    Blocks(int limit) {
        this.limit = limit;
    }

    /**
     * Allocates a block for a client.
     *
     * @throws SpillException if no block is left, or the client has its share
     */
    synchronized int take(ClientNetwork client) {
        int block = taken.nextClearBit(0);
        int ofClient = byClient.getOrDefault(client, 0);
        if (block >= limit || ofClient >= OF_A_CLIENT.of(limit)) {
            throw new SpillException(
                    block >= limit ? "no space is left" : "its client has half of all space", null);
        }
        taken.set(block);
        byClient.put(client, ofClient + 1);
        return block;
    }

    /** Frees the first {@code count} of these blocks of a client. */
    synchronized void giveBack(ClientNetwork client, int[] blocks, int count) {
        for (int i = 0; i < count; i++) {
            taken.clear(blocks[i]);
        }
        byClient.computeIfPresent(client, (_, held) -> held == count ? null : held - count);
    }

    /**
     * Lowers the limit.
     *
     * @return whether the new limit is lower; if not, the old one stays
     */
    synchronized boolean lower(long to) {
        boolean lower = to < limit;
        if (lower) {
            limit = (int) to;
        }
        return lower;
    }

    /** Returns the number of allocated blocks. */
    synchronized int used() {
        return taken.cardinality();
    }
}
