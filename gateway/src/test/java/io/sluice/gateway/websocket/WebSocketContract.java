package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.sluice.handlers.WebSocket;
import io.sluice.handlers.WebSocketListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contract of every {@link WebSocket} and its listener: over both versions of HTTP, proxied, and faked. */
public abstract class WebSocketContract {
    private final Recorder listener = new Recorder();
    private Client client;

    /** The client of a socket. */
    public interface Client {
        /** Sends texts in one write. */
        void send(String... texts) throws Exception;

        /** Returns the next text; waits for it. */
        String next() throws Exception;

        /** Returns the code with which the server closes, after all texts. */
        int closeCode() throws Exception;

        /** Closes the connection without a close frame. */
        void close() throws IOException;
    }

    /** Opens a socket to a listener. */
    protected abstract Client open(WebSocketListener to) throws Exception;

    /** Stops what {@link #open} has started. */
    protected void stop() {
    }

    @AfterEach
    void end() throws Exception {
        if (client != null) {
            client.close();
        }
        stop();
    }

    /** A listener that records events and echoes each text. */
    private static final class Recorder implements WebSocketListener {
        private final List<String> events = new CopyOnWriteArrayList<>();
        private volatile WebSocket socket;
        private volatile boolean answers = true;

        private void add(WebSocket of, String event) {
            events.add(of.eventLoop().inEventLoop() ? event : event + " on another thread");
        }

        @Override
        public void opened(WebSocket opened) {
            add(opened, "opened");
            socket = opened;
            opened.sendText(ByteBufUtil.writeUtf8(opened.alloc(), "welcome"));
        }

        @Override
        public void text(WebSocket from, ByteBuf message) {
            add(from, message.toString(StandardCharsets.UTF_8));
            if (answers) {
                from.sendText(message.retain());
            }
        }

        @Override
        public void closed(WebSocket of) {
            add(of, "closed");
        }
    }

    private void run(Runnable step) {
        listener.socket.eventLoop().submit(step).syncUninterruptibly();
    }

    private void awaitEvents(String... events) {
        await().untilAsserted(() -> assertThat(listener.events).containsExactly(events));
    }

    @Test
    void messagesPassInOrderFromTheOpeningOn() throws Exception {
        client = open(listener);
        client.send("a", "b", "c");

        assertThat(List.of(client.next(), client.next(), client.next(), client.next()))
                .containsExactly("welcome", "a", "b", "c");
        awaitEvents("opened", "a", "b", "c");
    }

    @Test
    void aPausedSocketDeliversNothingUntilItIsResumed() throws Exception {
        client = open(listener);
        assertThat(client.next()).isEqualTo("welcome");
        run(() -> listener.socket.pause());
        client.send("a", "b");
        run(() -> { });
        assertThat(listener.events).containsExactly("opened");

        run(() -> listener.socket.resume());

        awaitEvents("opened", "a", "b");
    }

    @Test
    void aCloseFollowsWhatWasSentAndLaterMessagesAreDropped() throws Exception {
        client = open(listener);
        run(() -> {
            listener.socket.sendText(ByteBufUtil.writeUtf8(listener.socket.alloc(), "last"));
            listener.socket.close(WebSocketCloseStatus.ENDPOINT_UNAVAILABLE);
            listener.socket.sendText(ByteBufUtil.writeUtf8(listener.socket.alloc(), "dropped"));
        });

        assertThat(client.next()).isEqualTo("welcome");
        assertThat(client.next()).isEqualTo("last");
        assertThat(client.closeCode()).isEqualTo(1001);
    }

    @Test
    void theEndOfAClientIsReportedOnce() throws Exception {
        client = open(listener);
        client.next();
        client.close();

        awaitEvents("opened", "closed");
    }
}
