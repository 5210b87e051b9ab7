package io.sluice.handlers.upstream;

import io.netty.channel.ChannelFuture;

/** A stream that is being opened. Confined to the event loop. */
public final class Opening {
    /** A stream that was provided at once. */
    static final Opening DONE = new Opening(null);

    private final ChannelFuture connecting;
    private boolean cancelled;

    Opening(ChannelFuture connecting) {
        this.connecting = connecting;
    }

    /** Gives the stream up; its user is not called any more. */
    public void cancel() {
        if (connecting != null) {
            cancelled = true;
            connecting.cancel(false);
        }
    }

    boolean isCancelled() {
        return cancelled;
    }
}
