package io.sluice.loadtest.experiments.driver;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;

/** Receives the events of one WebSocket, on its event loop. */
interface SocketListener {

    /** The server has accepted the handshake. */
    void opened(Channel channel);

    /** The server has rejected the handshake; {@link #closed} follows. */
    void refused(Throwable cause);

    /** A whole message: the next {@code length} of the bytes, valid during this call. */
    void message(ByteBuf bytes, int length);

    /** The WebSocket is closed, by either side. */
    void closed();
}
