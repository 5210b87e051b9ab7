package io.sluice.loadtest.experiments.wire;

import java.util.concurrent.atomic.LongAdder;

/** Bytes that some clients have sent and read, without those of TCP; to be used by any thread. */
public final class Traffic {

    private final LongAdder sent = new LongAdder();
    private final LongAdder received = new LongAdder();

    void sent(long bytes) {
        sent.add(bytes);
    }

    void received(long bytes) {
        received.add(bytes);
    }

    public long sent() {
        return sent.sum();
    }

    public long received() {
        return received.sum();
    }
}
