package io.sluice.gateway.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.RunningGateway;
import java.net.URI;
import java.net.http.WebSocket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client of a {@code ws-rpc} route, by the JDK's WebSocket. Messages have apostrophes for quotes. */
final class RpcClient implements AutoCloseable {
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final BlockingQueue<Integer> closes = new LinkedBlockingQueue<>();
    private final boolean reading;
    private final WebSocket socket;

    RpcClient(RunningGateway gateway, String target, String token, boolean reading) {
        this.reading = reading;
        WebSocket.Builder builder = gateway.client().newWebSocketBuilder();
        if (token != null) {
            builder.header("Authorization", "Bearer " + token);
        }
        socket = builder.buildAsync(URI.create("ws://127.0.0.1:" + gateway.port() + target), new Listener())
                .join();
    }

    RpcClient(RunningGateway gateway) {
        this(gateway, "/rpc", null, true);
    }

    private final class Listener implements WebSocket.Listener {
        private final StringBuilder answer = new StringBuilder();

        @Override
        public void onOpen(WebSocket open) {
            if (reading) {
                open.request(1);
            }
        }

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            answer.append(data);
            if (last) {
                answers.add(answer.toString());
                answer.setLength(0);
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

    void send(String message) {
        socket.sendText(message.replace('\'', '"'), true).join();
    }

    JsonNode answer() throws InterruptedException {
        String answer = answers.poll(20, TimeUnit.SECONDS);
        assertThat(answer).as("an answer").isNotNull();
        return JsonMapper.shared().readTree(answer);
    }

    JsonNode ask(String message) throws InterruptedException {
        send(message);
        return answer();
    }

    /** Begins to read what was sent. */
    void read() {
        socket.request(1);
    }

    /** The code of the server's close. */
    Integer closeCode() throws InterruptedException {
        return closes.poll(20, TimeUnit.SECONDS);
    }

    void closeProperly() {
        socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
    }

    @Override
    public void close() {
        socket.abort();
    }
}
