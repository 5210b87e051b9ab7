package io.sluice.gateway.rpc;

import io.sluice.gateway.limits.RequestMemory;
import io.sluice.handlers.HttpException;

/**
 * The part of a connection's {@link RequestMemory} for the requests and subscriptions of a socket. The
 * connection may outlive the socket. Confined to its event loop.
 */
final class SocketMemory {
    private final RequestMemory memory;
    private int taken;
    private boolean closed;

    SocketMemory(RequestMemory memory) {
        this.memory = memory;
    }

    /** Returns the refusal of a request or subscription for which there is no room. */
    static HttpException refusal() {
        return HttpException.tryAgain("the gateway is short of memory for requests and subscriptions", null);
    }

    /** Returns whether there is room for bytes that are taken at once. */
    boolean hasRoom(int bytes) {
        return closed || memory.hasRoom(bytes);
    }

    /** Takes memory in any case. */
    void take(int bytes) {
        if (!closed) {
            taken += bytes;
            memory.take(bytes);
        }
    }

    /** Gives back memory that was taken. */
    void giveBack(int bytes) {
        if (!closed) {
            taken -= bytes;
            memory.giveBack(bytes);
        }
    }

    /** Gives back all, as the socket is closed. */
    void close() {
        giveBack(taken);
        closed = true;
    }
}
