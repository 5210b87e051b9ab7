package io.sluice.gateway.rpc;

import static org.awaitility.Awaitility.await;

import io.netty.channel.DefaultEventLoop;
import io.sluice.gateway.websocket.WebSocketContract;
import io.sluice.handlers.WebSocketListener;
import java.util.concurrent.TimeUnit;

/** The fake socket fulfils the contract of real ones. */
class FakeSocketTest extends WebSocketContract {
    private final DefaultEventLoop loop = new DefaultEventLoop();

    @Override
    protected Client open(WebSocketListener to) {
        var socket = new FakeSocket(loop, to);
        return new Client() {
            private boolean gone;

            @Override
            public void send(String... texts) {
                socket.receive(texts);
            }

            @Override
            public String next() throws InterruptedException {
                return socket.sent.poll(30, TimeUnit.SECONDS);
            }

            @Override
            public int closeCode() {
                await().until(() -> socket.closedWith != null);
                return socket.closedWith.code();
            }

            @Override
            public void close() {
                if (!gone) {
                    gone = true;
                    socket.goAway();
                }
            }
        };
    }

    @Override
    protected void stop() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
