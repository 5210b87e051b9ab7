package io.sluice.handlers.upstream.http2;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.concurrent.TimeUnit;

/** Follows the ends of a connection's streams, and what they show of it. Confined to the event loop. */
final class StreamEnds extends Http2ConnectionAdapter {
    /**
     * The resets in a period after which a connection begins no more streams. Servers close it after more:
     * those on Netty after 200 in 30 s. These may be the last ones of the period before, as many of this one,
     * and one for each of a hundred streams that are open then.
     */
    private static final int MAX_RESETS = 50;
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final ClientConnection connection;
    /** Indicates that the connection has been idle, and no stream has got a frame since. */
    private boolean silent;
    private boolean lossSeen;
    /** The resets of the period that has begun then. */
    private int resets;
    private long periodNanos;

    StreamEnds(ClientConnection connection) {
        this.connection = connection;
    }

    /** Called when a stream has got a frame, and when the endpoint violates the protocol. */
    void received() {
        silent = false;
    }

    boolean isSilent() {
        return silent;
    }

    boolean isFirstLoss() {
        boolean first = !lossSeen;
        lossSeen = true;
        return first;
    }

    /** Counts a reset by this side; returns whether the endpoint may not bear many more. */
    boolean isLastReset(long now) {
        if (resets == 0 || now - periodNanos > PERIOD_NANOS) {
            periodNanos = now;
            resets = 0;
        }
        return ++resets >= MAX_RESETS;
    }

    @Override
    public void onStreamClosed(Http2Stream stream) {
        StreamEvents of = connection.events(stream);
        boolean refused = connection.connection().goAwayReceived()
                && stream.id() > connection.connection().local().lastStreamKnownByPeer();
        if (of != null) {
            of.closed(refused, connection.cause());
        }
        silent |= connection.isIdle();
        connection.streamEnded();
    }

    @Override
    public void onGoAwayReceived(int lastStreamId, long errorCode, ByteBuf debugData) {
        connection.changed();
    }
}
