package io.sluice.handlers.upstream.endpoint;

import io.netty.channel.ChannelFuture;
import java.util.concurrent.atomic.LongAdder;

/** Counts the connections to an endpoint. Any thread. */
public final class ConnectionCounts {
    private final LongAdder connecting = new LongAdder();
    private final LongAdder open = new LongAdder();

    /** Counts a connection until it is closed, or cannot be opened. */
    public void add(ChannelFuture opening) {
        connecting.increment();
        opening.addListener(_ -> {
            connecting.decrement();
            if (opening.isSuccess()) {
                open.increment();
                opening.channel().closeFuture().addListener(_ -> open.decrement());
            }
        });
    }

    /** Returns how many are being opened. */
    public int connecting() {
        return connecting.intValue();
    }

    /** Returns how many are open: with requests, idle, or switched to another protocol. */
    public int open() {
        return open.intValue();
    }
}
