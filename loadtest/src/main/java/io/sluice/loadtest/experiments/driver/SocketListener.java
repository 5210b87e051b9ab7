package io.sluice.loadtest.experiments.driver;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;

/** What hears of one WebSocket, on its event loop. */
interface SocketListener {

    /** The server has accepted it. */
    void opened(Channel channel);

    /** The server has not accepted it; {@link #closed} follows. */
    void refused(Throwable cause);

    /** A whole message: the next {@code length} of the bytes, valid during this call. */
    void message(ByteBuf bytes, int length);

    /** It is closed, whoever did so. */
    void closed();
}
