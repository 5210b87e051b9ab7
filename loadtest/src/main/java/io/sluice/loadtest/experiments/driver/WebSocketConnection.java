package io.sluice.loadtest.experiments.driver;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/** A WebSocket with at most one message in flight; the response is a message of the same length. */
final class WebSocketConnection implements Connection, SocketListener {

    private final Connections home;
    @SuppressWarnings("NullAway.Init") // set before the connection is announced
    private Channel channel;
    private @Nullable Exchange exchange;

    WebSocketConnection(Connections home) {
        this.home = home;
    }

    @Override
    public void opened(Channel opened) {
        channel = opened;
        home.connected(this);
    }

    @Override
    public void refused(Throwable cause) {
        home.refused(cause);
    }

    @Override
    public void send(Exchange next) {
        exchange = next;
        channel.writeAndFlush(Unpooled.wrappedBuffer(next.request().bytes()), channel.voidPromise());
    }

    @Override
    public void message(ByteBuf bytes, int length) {
        var done = exchange;
        exchange = null;
        if (done == null) {
            channel.close();
            return;
        }
        var same = length == done.request().bytes().length - Frames.HEAD;
        home.answered(done, same ? AnswerClass.OK : AnswerClass.OTHER, length);
        home.free(this);
    }

    @Override
    public void closed() {
        var lost = exchange;
        exchange = null;
        home.lost(this, lost);
    }
}
