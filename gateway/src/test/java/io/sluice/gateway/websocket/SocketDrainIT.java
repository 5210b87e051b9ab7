package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBuf;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient.Answer;
import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.tunnel.Http;
import io.sluice.gateway.websocket.SocketServer.Recorder;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.WebSocket;
import io.sluice.handlers.WebSocketListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The drain of WebSockets: they are closed one after the other, each after its requests in progress. */
@ParameterizedClass
@EnumSource
class SocketDrainIT {
    @Parameter
    private Http http;


    @Test
    void closesSocketsEvenlyOverTheTimeThatItIsGiven() throws Exception {
        int count = 30;
        try (var server = SocketServer.withClock(new SocketSettings(), new Recorder())) {
            var sockets = new ArrayList<RawSocket>();
            for (int i = 0; i < count; i++) {
                sockets.add(server.open(http));
            }
            server.http().connections().drain(Duration.ofMillis(1500));

            server.pass(0);
            for (int told = 1; told < count; told++) {
                int some = told;
                await().untilAsserted(
                        () -> assertThat(sockets).filteredOn(SocketDrainIT::hasBeenTold).hasSize(some));
                server.pass(50);
            }
            for (RawSocket socket : sockets) {
                assertThat(socket.read().closeCode()).isEqualTo(1001);
                socket.close();
            }
        }
    }

    private static boolean hasBeenTold(RawSocket socket) {
        try {
            return socket.socket().getInputStream().available() > 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void tellsAllSocketsOfAGatewayThatStops() throws Exception {
        try (var gateway = RunningGateway.start("sluice.routes.ws { path = /ws, handler = ws-echo }")) {
            var codes = new ArrayList<CompletableFuture<Integer>>();
            for (int i = 0; i < 30; i++) {
                RawSocket socket = RawSocket.open(http, gateway.port(), "/ws");
                codes.add(CompletableFuture.supplyAsync(() -> readClose(socket), Thread::startVirtualThread));
            }
            gateway.stop();

            assertThat(codes).extracting(CompletableFuture::join).hasSize(30).containsOnly(1001);
        }
    }

    private static int readClose(RawSocket socket) {
        try (socket) {
            int code = socket.read().closeCode();
            socket.send(ClientFrame.close(1001, ""));
            socket.readAll();
            return code;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void drainWaitsForRunningRequestsAndDropsNewMessages() throws Exception {
        var handler = new Recorder() {
            @Override
            public void text(WebSocket socket, ByteBuf message) {
                super.text(socket, message);
                socket.beginRequest();
            }
        };
        try (var server = new SocketServer(new SocketSettings(), handler);
                RawSocket socket = server.open(http)) {
            WebSocket open = handler.socket();
            socket.send(ClientFrame.of(ClientFrame.TEXT, "one"), ClientFrame.of(ClientFrame.TEXT, "two"));
            assertThat(handler.next() + handler.next() + handler.next()).isEqualTo("openedtext onetext two");
            server.http().connections().drain(Duration.ZERO);
            // Scheduled on the loop, so that it runs after the tasks that the drain has scheduled.
            open.eventLoop().submit(
                    () -> open.eventLoop().schedule(() -> { }, 0, TimeUnit.SECONDS)).get().sync();
            socket.send(ClientFrame.of(ClientFrame.PING, "still here?"));
            assertThat(socket.read().opcode()).isEqualTo(Opcode.PONG);

            socket.send(ClientFrame.of(ClientFrame.TEXT, "three"));
            open.eventLoop().execute(() -> answer(open, "answer one"));
            assertThat(socket.read().text()).isEqualTo("answer one");
            open.eventLoop().execute(() -> {
                open.resume();
                answer(open, "answer two");
            });
            assertThat(socket.read().text()).isEqualTo("answer two");
            assertThat(socket.read().closeCode()).isEqualTo(1001);
            socket.send(ClientFrame.close(1001, ""));
            assertThat(socket.isClosed()).isTrue();
            assertThat(handler.next()).isEqualTo("closed");
            assertThat(handler.rest()).isEmpty();
        }
    }

    @Test
    void tellsASocketWhoseWorkHasNotEndedInTime() throws Exception {
        String config = "sluice.routes { rpc { path = /rpc, handler = ws-rpc }, "
                + "slow { path = /slow, handler = delay, duration = 8s } }";
        try (var gateway = RunningGateway.start(config);
                RawSocket socket = RawSocket.open(http, gateway.port(), "/rpc")) {
            socket.send(ClientFrame.of(ClientFrame.TEXT, "{\"path\":\"/slow\"}"),
                    ClientFrame.of(ClientFrame.PING, "taken"));
            assertThat(socket.read().opcode()).isEqualTo(Opcode.PONG);
            gateway.stop();

            assertThat(socket.read().closeCode()).isEqualTo(1001);
        }
    }

    private static void answer(WebSocket socket, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        socket.sendText(socket.alloc().buffer().writeBytes(bytes));
        socket.endRequest();
    }

    @Test
    void opensNoSocketWhileDraining() throws Exception {
        var server = new AtomicReference<SocketServer>();
        var handler = new Recorder() {
            @Override
            public WebSocketListener accept(Exchange handshake) {
                server.get().http().connections().drain(Duration.ofMillis(100));
                return this;
            }
        };
        server.set(new SocketServer(new SocketSettings(), handler));
        try (var open = server.get(); RawSocket socket = RawSocket.over(http.connect(open.port(), 0))) {
            Answer answer = socket.send(RawSocket.handshake("/")).readAnswer();

            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.header("retry-after")).isNotNull();
            assertThat(answer.header("connection")).isEqualTo(http == Http.HTTP_1_1 ? "close" : null);
            assertThat(socket.isClosed()).isTrue();
            assertThat(handler.rest()).isEmpty();
            assertThat(open.opened()).isZero();
        }
    }

    @Test
    void goesOnServingOnEveryEventLoopUntilASocketsTimeHasCome() throws Exception {
        var handler = new Recorder() {
            @Override
            public void text(WebSocket socket, ByteBuf message) {
                socket.sendText(message.retain());
            }
        };
        try (var server = new SocketServer(new SocketSettings().closeTimeout(60_000), handler,
                HandlerServer.route("/x", exchange -> HandlerServer.answer(exchange, "x")))) {
            var sockets = List.of(server.open(http), server.open(http), server.open(http), server.open(http));
            server.http().connections().drain(Duration.ofMillis(800));
            var frames = new ArrayList<RawSocket.Frame>();
            for (RawSocket socket : sockets) {
                frames.add(socket.send(ClientFrame.of(ClientFrame.TEXT, "a")).read());
            }
            for (int i = 0; i < frames.size(); i++) {
                RawSocket.Frame frame = frames.get(i);
                RawSocket.Frame last = frame.opcode() == Opcode.CLOSE ? frame : sockets.get(i).read();
                assertThat(frame == last || frame.text().equals("a")).isTrue();
                assertThat(last.closeCode()).isEqualTo(1001);
                sockets.get(i).close();
            }
            await().until(() -> server.closed() == 4 && server.http().connections().count() == 0);
        }
    }
}
