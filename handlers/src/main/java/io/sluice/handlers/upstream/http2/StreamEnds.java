package io.sluice.handlers.upstream.http2;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2Stream;

/** Follows the ends of a connection's streams, and what they show of it. Confined to the event loop. */
final class StreamEnds extends Http2ConnectionAdapter {
    private final ClientConnection connection;
    /** Indicates that the connection has been idle, and no stream has got a frame since. */
    private boolean silent;
    private boolean lossSeen;

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
