package io.sluice.gateway.limits;

/**
 * The part of a connection's {@link RequestMemory} for a stream or a WebSocket, which the connection may
 * outlive. Confined to its event loop.
 */
public final class RequestMemoryPart {
    private final RequestMemory memory;
    private int taken;
    private boolean closed;

    /** Creates an empty part. */
    public RequestMemoryPart(RequestMemory memory) {
        this.memory = memory;
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
        return closed || memory.hasRoom(bytes);
    }

    /** Takes memory in any case. */
    public void take(int bytes) {
        if (!closed) {
            taken += bytes;
            memory.take(bytes);
        }
    }

    /** Gives back memory that was taken. */
    public void giveBack(int bytes) {
        if (!closed) {
            taken -= bytes;
            memory.giveBack(bytes);
        }
    }

    /** Gives back all. What is taken later does not count. */
    public void close() {
        giveBack(taken);
        closed = true;
    }
}
