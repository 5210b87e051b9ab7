package io.sluice.handlers.upstream.http2;

import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Finds out by a PING (RFC 9113 section 6.7) whether an endpoint that owes a response is still there. The end
 * of a machine or of its network closes no connection for many minutes. Confined to the event loop.
 */
final class Heartbeat {
    private final Duration limit;
    private final Runnable silent;
    /** Null unless an answer is awaited. */
    private @Nullable Future<?> wait;

    /**
     * Creates a heartbeat, which is not running.
     *
     * @param limit the time for an answer
     * @param silent called if none has come by then
     */
    Heartbeat(Duration limit, Runnable silent) {
        this.limit = limit;
        this.silent = silent;
    }

    /** Writes a PING, unless one is on its way. */
    void ask(ClientConnection connection, ChannelHandlerContext ctx) {
        if (wait == null) {
            connection.encoder().writePing(ctx, false, 0, ctx.newPromise());
            wait = ctx.executor().schedule(silent, limit.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    /** Called with an answer, and at the end of the connection. */
    void end() {
        if (wait != null) {
            wait.cancel(false);
            wait = null;
        }
    }
}
