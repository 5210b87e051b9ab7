package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A WebSocket client for texts, based on the JDK's. */
public final class SocketClient implements AutoCloseable {
    private final BlockingQueue<String> texts = new LinkedBlockingQueue<>();
    private final BlockingQueue<Integer> closes = new LinkedBlockingQueue<>();
    private final boolean reading;
    private final WebSocket socket;

    private SocketClient(RunningGateway gateway, String target, boolean reading, String... headers) {
        this.reading = reading;
        WebSocket.Builder builder = gateway.client().newWebSocketBuilder();
        for (int i = 0; i < headers.length; i += 2) {
            builder.header(headers[i], headers[i + 1]);
        }
        socket = builder.buildAsync(URI.create("ws://127.0.0.1:" + gateway.port() + target), new Listener())
                .join();
    }

    /** Connects. The headers are names and values by turns. */
    public static SocketClient connect(RunningGateway gateway, String target, String... headers) {
        return new SocketClient(gateway, target, true, headers);
    }

    /** Connects, and reads nothing until {@link #read()}. */
    public static SocketClient stalled(RunningGateway gateway, String target) {
        return new SocketClient(gateway, target, false);
    }

    /** Returns the status of the answer to a refused handshake. */
    public static int refusal(RunningGateway gateway, String target, String... headers) {
        try (var _ = connect(gateway, target, headers)) {
            return 101;
        } catch (CompletionException e) {
            assertThat(e.getCause()).isInstanceOf(WebSocketHandshakeException.class);
            return ((WebSocketHandshakeException) e.getCause()).getResponse().statusCode();
        }
    }

    private final class Listener implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public void onOpen(WebSocket open) {
            if (reading) {
                open.request(1);
            }
        }

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                texts.add(text.toString());
                text.setLength(0);
            }
            from.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onClose(WebSocket from, int status, String reason) {
            closes.add(status);
            return null;
        }
    }

    /** Sends a text. */
    public SocketClient send(String text) {
        socket.sendText(text, true).join();
        return this;
    }

    /** Starts to read. */
    public void read() {
        socket.request(1);
    }

    /** Returns the next text; fails if none arrives. */
    public String next() throws InterruptedException {
        String next = texts.poll(2, TimeUnit.MINUTES);
        assertThat(next).as("a message").isNotNull();
        return next;
    }

    /** Returns whether no unread text has arrived. */
    public boolean isSilent() {
        return texts.isEmpty();
    }

    /** Returns whether the server has sent a close frame whose code was not taken. */
    public boolean isClosed() {
        return !closes.isEmpty();
    }

    /** Returns the code of the server's close frame. */
    public int closeCode() throws InterruptedException {
        Integer code = closes.poll(2, TimeUnit.MINUTES);
        assertThat(code).as("a close").isNotNull();
        return code;
    }

    /** Closes with a close frame. */
    public void closeProperly() {
        socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
    }

    /** Closes the connection without a close frame. */
    @Override
    public void close() {
        socket.abort();
    }
}
