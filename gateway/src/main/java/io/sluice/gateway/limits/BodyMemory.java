package io.sluice.gateway.limits;

import io.sluice.handlers.BytesByClient;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.MemoryShare;
import io.sluice.offload.ClientNetwork;

/**
 * The direct memory of one body that is held whole, of those of one WebSocket, or of its incomplete message.
 * Without a share for each client, one could make direct memory short for all by bodies that wait for a
 * worker. Not thread-safe.
 */
public final class BodyMemory {
    private static final BytesByClient HELD = new BytesByClient();

    private final ClientNetwork client;
    private long taken;

    /** Creates an account of a client, in which nothing is taken. */
    public BodyMemory(ClientNetwork client) {
        this.client = client;
    }

    /** Returns the refusal of a body for which there is no room. */
    public static HttpException refusal() {
        return HttpException.tryAgain("too many bodies of this client wait", null);
    }

    /**
     * Returns whether further bytes fit into the client's share, {@link MemoryShare#EIGHTH}. One account may
     * exceed it while the client has no other.
     *
     * @param same the most bytes that are taken for other forms of the same body
     */
    public boolean hasRoom(long bytes, long same) {
        long ofClient = HELD.of(client);
        return bytes == 0 || ofClient + bytes <= MemoryShare.EIGHTH || ofClient - taken <= same;
    }

    /** Takes memory, or gives it back if negative. */
    public void take(long bytes) {
        if (bytes != 0) {
            taken += bytes;
            HELD.add(client, bytes);
        }
    }

    /** Gives back all that is taken. */
    public void giveBackAll() {
        take(-taken);
    }

    /** Returns the bytes that all accounts of a client have taken. */
    static long held(ClientNetwork client) {
        return HELD.of(client);
    }

    /** Returns the bytes that are taken. */
    public long taken() {
        return taken;
    }
}
