package io.sluice.gateway.websocket;

import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBuf;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.routing.Route;
import io.sluice.gateway.tunnel.Http;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.WebSocket;
import io.sluice.handlers.WebSocket.DropReason;
import io.sluice.handlers.WebSocketHandler;
import io.sluice.handlers.WebSocketListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** A server with one WebSocket handler at /, which counts opened and closed sockets. */
public final class SocketServer implements AutoCloseable {
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();
    private final HandlerServer server;
    private final SocketRoute<String> route;

    /** Starts a server on a free port. */
    public SocketServer(SocketSettings settings, WebSocketHandler handler, Route... others) {
        this(HandlerServer::withSmallBuffers, settings, handler, others);
    }

    private SocketServer(Function<Route[], HandlerServer> start, SocketSettings settings,
                         WebSocketHandler handler, Route... others) {
        var routes = new ArrayList<>(List.of(others));
        route = new SocketRoute<>("/", new Counts(), SocketSettings.TIMEOUTS, settings.config(), "");
        routes.add(HandlerServer.route("/", new WebSocketUpgrade(handler, route)));
        server = start.apply(routes.toArray(Route[]::new));
    }

    /** Returns a socket route without a meter. */
    static SocketRoute<String> route(String uri, SocketSettings settings) {
        return new SocketRoute<>(uri, new NoMeter(), SocketSettings.TIMEOUTS, settings.config(), "");
    }

    /** Starts a server with a clock that only {@link #pass} advances. */
    static SocketServer withClock(SocketSettings settings, WebSocketHandler handler, Route... others) {
        return new SocketServer(routes -> HandlerServer.withClock(SocketSettings.PACE, routes), settings,
                handler, others);
    }

    /** Changes the settings, as a reload does. */
    void update(SocketSettings settings) {
        route.update(SocketSettings.TIMEOUTS, settings.config(), "");
    }

    void pass(long millis) {
        server.pass(Duration.ofMillis(millis));
    }

    public HandlerServer http() {
        return server;
    }

    public int port() {
        return server.port();
    }

    RawSocket open(String... headers) throws IOException {
        return open(Http.HTTP_1_1, headers);
    }

    /** Opens a socket. Further headers end with CRLF each. */
    RawSocket open(Http http, String... headers) throws IOException {
        return RawSocket.open(http, port(), "/", headers);
    }

    /** Returns the number of opened sockets, as reported to the meter. */
    int opened() {
        return opened.get();
    }

    /** Returns the number of closed sockets, as reported to the meter. */
    int closed() {
        return closed.get();
    }

    /** Waits until all sockets and connections are closed. */
    public void awaitGone() {
        await().pollInterval(Duration.ofMillis(5))
                .until(() -> closed() == opened() && server.connections().count() == 0);
    }

    @Override
    public void close() {
        server.close();
    }

    private final class Counts extends NoMeter {

        @Override
        public void opened(long nanos) {
            opened.incrementAndGet();
        }

        @Override
        public void closed() {
            closed.incrementAndGet();
        }
    }

    /** A meter that counts nothing. SocketMetersIT tests the real one. */
    static class NoMeter implements SocketObserver {

        @Override
        public void opened(long nanos) {
        }

        @Override
        public void closed() {
        }

        @Override
        public void received(int bytes) {
        }

        @Override
        public void sent(int bytes) {
        }

        @Override
        public void dropped(DropReason reason) {
        }
    }

    /** A handler that records the events of its sockets. */
    static class Recorder implements WebSocketHandler, WebSocketListener {
        private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
        private final BlockingQueue<WebSocket> sockets = new LinkedBlockingQueue<>();

        @Override
        public WebSocketListener accept(Exchange handshake) {
            return this;
        }

        @Override
        public void opened(WebSocket socket) {
            sockets.add(socket);
            events.add("opened");
        }

        @Override
        public void text(WebSocket socket, ByteBuf message) {
            events.add("text " + message.toString(StandardCharsets.UTF_8));
        }

        @Override
        public void binary(WebSocket socket, ByteBuf message) {
            events.add("binary " + message.readableBytes());
        }

        @Override
        public void closed(WebSocket socket) {
            events.add("closed");
        }

        /** Returns the next event; null after 30 s. */
        String next() throws InterruptedException {
            return events.poll(30, TimeUnit.SECONDS);
        }

        /** Returns the events that have not been taken. */
        List<String> rest() {
            var rest = new ArrayList<String>();
            events.drainTo(rest);
            return rest;
        }

        /** Returns the next opened socket. */
        WebSocket socket() throws InterruptedException {
            return sockets.poll(30, TimeUnit.SECONDS);
        }
    }
}
