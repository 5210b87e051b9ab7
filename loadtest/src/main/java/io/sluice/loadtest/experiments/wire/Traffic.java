package io.sluice.loadtest.experiments.wire;

import java.util.concurrent.atomic.LongAdder;

/** Counts the bytes that clients have sent and read, without TCP headers. Thread-safe. */
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
