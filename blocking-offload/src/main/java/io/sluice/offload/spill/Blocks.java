package io.sluice.offload.spill;

import io.sluice.config.type.Share;
import io.sluice.offload.ClientNetwork;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Numbered blocks of a file: which are taken, and how many by each client. Thread-safe; event loops give
 * blocks back, so that nothing blocks here.
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
     * Takes a block for a client.
     *
     * @throws SpillException where none is left for it
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

    /** Gives the first so many of these back, which a client has taken. */
    synchronized void giveBack(ClientNetwork client, int[] blocks, int count) {
        for (int i = 0; i < count; i++) {
            taken.clear(blocks[i]);
        }
        byClient.computeIfPresent(client, (_, held) -> held == count ? null : held - count);
    }

    /**
     * Lowers the limit.
     *
     * @return false where it is no higher
     */
    synchronized boolean lower(long to) {
        boolean lower = to < limit;
        if (lower) {
            limit = (int) to;
        }
        return lower;
    }

    /** The number that is taken. */
    synchronized int used() {
        return taken.cardinality();
    }
}
