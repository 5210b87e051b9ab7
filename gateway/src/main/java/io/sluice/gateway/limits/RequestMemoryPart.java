package io.sluice.gateway.limits;

import io.sluice.handlers.HttpException;
import io.sluice.offload.ClientNetwork;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * The part of a connection's {@link RequestMemory} for a stream or a WebSocket, which the connection may
 * outlive. Confined to its event loop.
 */
public final class RequestMemoryPart {
    private final RequestMemory memory;
    /** The client if the connection is shared by several; null before its request names it. */
    private @Nullable ClientNetwork client;
    private int taken;
    private boolean closed;

    /** Creates an empty part. */
    public RequestMemoryPart(RequestMemory memory) {
        this.memory = memory;
    }

    /**
     * Makes this count, with its stream, for the client of a request if several share the connection.
     *
     * @throws HttpException if the requests of that client take more than its half
     */
    public void countFor(InetAddress of) {
        if (memory.isShared()) {
            client = ClientNetwork.of(of);
            RequestMemory.count(client, RequestMemory.STREAM + taken);
            RequestMemory.requireRoom(client, of);
        }
    }

    /** Takes memory if there is room; returns whether it is taken. */
    public boolean tryTake(int bytes) {
        boolean fits = hasRoom(bytes);
        if (fits) {
            take(bytes);
        }
        return fits;
    }

    /** Returns whether there is room for bytes that are taken at once. */
    public boolean hasRoom(int bytes) {
        return closed || memory.hasRoom(bytes) && (client == null || !RequestMemory.isFull(client));
    }

    /** Takes memory in any case. */
    public void take(int bytes) {
        if (!closed) {
            taken += bytes;
            memory.take(bytes);
            RequestMemory.count(client, bytes);
        }
    }

    /** Gives back memory that was taken. */
    public void giveBack(int bytes) {
        if (!closed) {
            taken -= bytes;
            memory.giveBack(bytes);
            RequestMemory.count(client, -bytes);
        }
    }

    /** Gives back all. What is taken later does not count. */
    public void close() {
        giveBack(taken);
        RequestMemory.count(client, -RequestMemory.STREAM);
        client = null;
        closed = true;
    }
}
