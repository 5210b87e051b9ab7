package io.sluice.handlers.upstream.http2;

import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether an endpoint that owes a response is still there. The end of a machine or of its network
 * closes no connection for many minutes. A connection on which nothing comes gets no further requests. It is
 * closed only if a PING (RFC 9113 section 6.7) stays unanswered for long, as its other streams are lost then.
 * Servers of gRPC close connections with many PINGs, which they count from their last HEADERS or DATA: there
 * is one between two of these. Confined to the event loop.
 */
public final class Heartbeat {
    private static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final ClientConnection connection;
    private final ChannelHandlerContext ctx;
    private final long patienceNanos;
    private int reads;
    private boolean responded;
    private boolean mayAsk = true;
    private boolean overdue;
    /** Null unless a sign of life is awaited. */
    private @Nullable Future<?> wait;

    /**
     * Creates a heartbeat, which is not running.
     *
     * @param patience the time after which an endpoint is overdue with a sign of life
     */
    Heartbeat(ClientConnection connection, ChannelHandlerContext ctx, Duration patience) {
        this.connection = connection;
        this.ctx = ctx;
        patienceNanos = patience.toNanos();
    }

    /** Returns the number of reads so far. */
    public int reads() {
        return reads;
    }

    /**
     * Called if a request is given up: unless anything has come since it was sent, a PING asks for a sign of
     * life.
     *
     * @param readsBefore the number of reads when it was sent
     */
    public void doubt(int readsBefore) {
        if (reads != readsBefore || wait != null || overdue || !mayAsk) {
            return;
        }
        mayAsk = false;
        connection.encoder().writePing(ctx, false, 0, ctx.newPromise());
        connection.flushLater();
        wait = ctx.executor().schedule(this::overdue, patienceNanos, TimeUnit.NANOSECONDS);
    }

    private void overdue() {
        overdue = true;
        wait = ctx.executor().schedule(this::silent, SILENT_NANOS, TimeUnit.NANOSECONDS);
        connection.changed();
    }

    private void silent() {
        connection.exceptionCaught(ctx, new IOException("no answer to a PING"));
        ctx.close();
    }

    /** Returns whether the endpoint is late with a sign of life. */
    boolean isOverdue() {
        return overdue;
    }

    /** Called with each read. */
    void heard() {
        reads++;
        end();
        if (overdue) {
            overdue = false;
            connection.changed();
        }
    }

    /** Called with HEADERS or DATA. */
    void responded() {
        responded = true;
        mayAsk = true;
    }

    /** Returns whether HEADERS or DATA have come, for any request. */
    public boolean hasResponded() {
        return responded;
    }

    /** Awaits nothing any more. */
    void end() {
        if (wait != null) {
            wait.cancel(false);
            wait = null;
        }
    }
}
