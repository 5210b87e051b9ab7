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
    private final int most;
    private int limit;

    /**
     * Creates free blocks.
     *
     * @param most the largest limit of their number
     */
    Blocks(int most) {
        this.most = most;
        limit = most;
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

    /** Limits the blocks to those that fit on the disk, and returns whether these are fewer than could be. */
    synchronized boolean fit(long number) {
        limit = (int) Math.min(most, number);
        return limit < most;
    }

    /** Returns whether no blocks are allowed at all. */
    boolean isDisabled() {
        return most == 0;
    }

    /** Returns the number of allocated blocks. */
    synchronized int used() {
        return taken.cardinality();
    }
}
