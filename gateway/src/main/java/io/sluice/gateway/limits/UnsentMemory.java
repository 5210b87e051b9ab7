package io.sluice.gateway.limits;

import io.netty.channel.ChannelFuture;
import io.sluice.handlers.BytesByClient;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.MemoryShare;
import io.sluice.offload.ClientNetwork;

/**
 * The memory of responses that clients have not read yet. Without a share for each client, one could make
 * direct memory short for all by many responses that it does not read. Small pieces do not count, as the
 * number of requests is limited. Thread-safe.
 */
public final class UnsentMemory {
    private static final BytesByClient HELD = new BytesByClient();

    /** Indicates whether a writer may wait until a client has read. */
    private static volatile boolean awaited;

    private UnsentMemory() {
    }

    /**
     * Returns whether the responses of a client take its share, {@link MemoryShare#EIGHTH}. A writer that
     * waits for room is woken like one that waits for memory.
     */
    public static boolean isFull(ClientNetwork client) {
        boolean full = HELD.of(client) > MemoryShare.EIGHTH;
        awaited |= full;
        return full;
    }

    /** Returns the refusal of a response for which there is no room. */
    public static HttpException refusal() {
        return HttpException.tryAgain("this client has not read other responses yet", null);
    }

    /** Counts a piece of a response for its client until it has been sent, or given up. */
    public static void count(ClientNetwork client, int bytes, ChannelFuture sent) {
        if (bytes > MemoryShare.FREE_BODY) {
            HELD.add(client, bytes);
            sent.addListener(_ -> HELD.add(client, -bytes));
        }
    }

    /** Returns whether a writer may wait, and forgets it: the writer has to be woken. */
    static boolean takeAwaited() {
        boolean any = awaited;
        if (any) {
            awaited = false;
        }
        return any;
    }
}
