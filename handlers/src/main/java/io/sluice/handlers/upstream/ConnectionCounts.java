package io.sluice.handlers.upstream;

import io.netty.channel.ChannelFuture;
import java.util.concurrent.atomic.LongAdder;

/** Counts the connections to an endpoint. Any thread. */
final class ConnectionCounts {
    private final LongAdder connecting = new LongAdder();
    private final LongAdder open = new LongAdder();

    /** Counts a connection until it is closed, or cannot be opened. */
    void add(ChannelFuture opening) {
        connecting.increment();
        opening.addListener(_ -> {
            connecting.decrement();
            if (opening.isSuccess()) {
                open.increment();
                opening.channel().closeFuture().addListener(_ -> open.decrement());
            }
        });
    }

    int connecting() {
        return connecting.intValue();
    }

    /** Returns how many are open: with requests, idle, or switched to another protocol. */
    int open() {
        return open.intValue();
    }
}
