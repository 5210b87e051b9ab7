package io.sluice.gateway.rpc;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.sluice.config.HandlerConfig;
import io.sluice.config.topic.OverBudget;
import io.sluice.config.type.ByteSize;
import io.sluice.gateway.routing.RoutingTable;
import io.sluice.gateway.websocket.SocketServer;
import io.sluice.gateway.websocket.SocketSettings;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.WebSocketHandler;
import io.sluice.handlers.WebSocketListener;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sockets that close while a message is being scanned. */
class InboxIT {
    private static final String LONG = "{\"id\":1,\"path\":\"/hello\",\"body\":\""
            + "a".repeat(1_000_000) + "\"}";

    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final BlockingQueue<ByteBuf> messages = new LinkedBlockingQueue<>();
    private final SocketServer server = new SocketServer(new SocketSettings(), new Interrupted());
    private final WebSocket client = HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(
            URI.create("ws://127.0.0.1:" + server.port()), new Client()).join();
    /** Runs on the event loop when the scan of a message has begun. */
    private volatile BiConsumer<WebSocket, io.sluice.handlers.WebSocket> interruption;

    /** A handler that passes messages on to the handler under test, and then interrupts the scan. */
    private final class Interrupted implements WebSocketHandler {
        private final HandlerConfig.WsRpc config = new HandlerConfig.WsRpc(null, 100, new ByteSize(1 << 20),
                100, new ByteSize(1 << 20), OverBudget.DROP_OLDEST);
        private final RoutingTable table = new RoutingTable(List.of(
                route("/hello", exchange -> answer(exchange, "hello"))));
        private final RpcHandler rpc = new RpcHandler(() -> config, 8192, () -> table, _ -> { });

        @Override
        public WebSocketListener accept(Exchange handshake) {
            WebSocketListener session = rpc.accept(handshake);
            return new WebSocketListener() {
                @Override
                public void opened(io.sluice.handlers.WebSocket socket) {
                    session.opened(socket);
                }

                @Override
                public void text(io.sluice.handlers.WebSocket socket, ByteBuf message) {
                    session.text(socket, message);
                    messages.add(message);
                    interruption.accept(client, socket);
                }

                @Override
                public void writable(io.sluice.handlers.WebSocket socket) {
                    session.writable(socket);
                }

                @Override
                public void closed(io.sluice.handlers.WebSocket socket) {
                    session.closed(socket);
                }
            };
        }
    }

    private final class Client implements WebSocket.Listener {
        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
            events.add(text.toString());
            from.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onClose(WebSocket from, int status, String reason) {
            events.add("closed " + status);
            return null;
        }
    }

    private enum End {
        BY_SERVER((_, socket) -> socket.close(WebSocketCloseStatus.NORMAL_CLOSURE)),
        BY_CLIENT((client, _) -> client.sendClose(WebSocket.NORMAL_CLOSURE, "")),
        CUT((client, _) -> client.abort());

        private final BiConsumer<WebSocket, io.sluice.handlers.WebSocket> action;

        End(BiConsumer<WebSocket, io.sluice.handlers.WebSocket> action) {
            this.action = action;
        }
    }

    @AfterEach
    void stop() {
        client.abort();
        server.close();
    }

    @ParameterizedTest
    @EnumSource
    void aMessageIsReleasedWithItsSocket(End end) throws Exception {
        interruption = end.action;
        client.sendText(LONG, true);

        ByteBuf message = messages.poll(30, TimeUnit.SECONDS);
        server.awaitGone();
        await().until(() -> message.refCnt() == 0);
    }

    @Test
    void aDrainWaitsForTheRequestThatIsBeingScanned() throws Exception {
        interruption = (_, _) -> server.http().connections().drain(Duration.ZERO);
        client.sendText(LONG, true);

        assertThat(events.poll(30, TimeUnit.SECONDS)).contains("\"id\":1,\"status\":200");
        assertThat(events.poll(30, TimeUnit.SECONDS)).isEqualTo("closed 1001");
        server.awaitGone();
    }
}
