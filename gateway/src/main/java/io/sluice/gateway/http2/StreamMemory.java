package io.sluice.gateway.http2;

import io.sluice.gateway.http2.frames.ReceivedHeaders;
import io.sluice.gateway.limits.RequestMemory;

/** The part of a connection's {@link RequestMemory} for the head and the trailers of a stream. */
final class StreamMemory {
    private final RequestMemory memory;
    private int taken;

    StreamMemory(RequestMemory memory) {
        this.memory = memory;
    }

    /** Takes memory for header fields if there is room. */
    boolean tryTake(ReceivedHeaders fields) {
        int bytes = fields.heap();
        boolean fits = memory.tryTake(bytes);
        if (fits) {
            taken += bytes;
        }
        return fits;
    }

    /** Gives back all that was taken. */
    void giveBack() {
        memory.giveBack(taken);
        taken = 0;
    }
}
