package io.sluice.gateway.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.config.SocketConfig;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.Tunnel;
import io.sluice.handlers.TunnelConnection;
import io.sluice.handlers.WebSocket;
import io.sluice.handlers.WebSocketListener;
import java.net.InetSocketAddress;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A WebSocket, between the client's connection and the route's listener. On its event loop. */
final class WebSocketConnection implements WebSocket, Tunnel, MessageAssembler.Receiver {
    private static final Logger log = LoggerFactory.getLogger(WebSocketConnection.class);

    private final String id;
    private final InetSocketAddress client;
    private final SocketRoute<?> route;
    private final @Nullable PerMessageDeflate compression;
    private final WebSocketListener listener;
    private final long handshakeNanos;
    private SocketConfig config;
    private TunnelConnection connection;
    private SocketReader reader;
    private SocketWriter writer;
    private KeepAlive keepAlive;
    private ClosingHandshake closing;
    private boolean paused;
    private int requests;
    private boolean goingAway;

    /** A socket whose handshake arrived at a time of the event loop's clock, and is about to be accepted. */
    WebSocketConnection(Exchange handshake, SocketRoute<?> route, @Nullable PerMessageDeflate compression,
                        WebSocketListener listener, long handshakeNanos) {
        id = handshake.requestId();
        client = handshake.clientAddress();
        this.route = route;
        config = route.config();
        this.compression = compression;
        this.listener = listener;
        this.handshakeNanos = handshakeNanos;
    }

    @Override
    public void opened(TunnelConnection opened) {
        connection = opened;
        reader = new SocketReader(opened, this, this::continueReading, client, compression != null, config);
        writer = new SocketWriter(connection, MessageEncoding.of(compression, config.compressFrom().bytes()),
                this::writable);
        closing = new ClosingHandshake(connection, reader, writer, config.closeTimeout(), this::ended);
        keepAlive = new KeepAlive(this, reader, writer, route.timeouts());
        route.observer().opened(eventLoop().ticker().nanoTime() - handshakeNanos);
        tell(listener::opened);
    }

    @Override
    public void read(ByteBuf bytes) {
        keepAlive.heard();
        config();
        writer.onReadStart();
        try {
            reader.read(bytes);
        } catch (Throwable e) {
            failed(e);
        }
    }

    /** Returns the route's settings, and applies them if a reload has changed them. */
    SocketConfig config() {
        SocketConfig current = route.config();
        if (current != config) {
            config = current;
            reader.limit(config);
            writer.encode(MessageEncoding.of(compression, config.compressFrom().bytes()));
            closing.limit(config.closeTimeout());
        }
        return config;
    }

    @Override
    public void readComplete() {
        reader.readComplete();
        writer.onReadEnd();
        keepAlive.onReadEnd();
    }

    @Override
    public boolean takes(int opcode) {
        return (Opcode.isControl(opcode) || !paused || !closing.isOpen()) && reader.turnGoesOn();
    }

    @Override
    public void message(boolean text, ByteBuf payload) {
        if (closing.isOpen() && !connection.isAdmitted()) {
            close(WebSocketCloseStatus.POLICY_VIOLATION);
        }
        if (!closing.isOpen()) {
            return;
        }
        route.observer().received(payload.readableBytes());
        if (text) {
            listener.text(this, payload);
        } else {
            listener.binary(this, payload);
        }
    }

    @Override
    public void control(int opcode, ByteBuf payload) {
        if (opcode == Opcode.PING && closing.isOpen()) {
            writer.pong(payload);
        } else if (opcode == Opcode.CLOSE) {
            closing.end(CloseFrame.answerTo(payload));
        }
    }

    @Override
    public void writable() {
        if (closing.isOpen() && isWritable()) {
            writer.writable();
            tell(listener::writable);
        }
    }

    private void tell(Consumer<WebSocket> event) {
        try {
            event.accept(this);
        } catch (Throwable e) {
            failed(e);
        }
    }

    /** Closes the socket after a protocol violation, or with 1011 after an internal error. */
    void failed(Throwable cause) {
        if (cause instanceof ProtocolException violation) {
            log.debug("the client of socket {} is at fault: {}", id, violation.getMessage());
            closing.end(violation.status());
        } else {
            log.error("socket {} failed", id, cause);
            closing.end(WebSocketCloseStatus.INTERNAL_SERVER_ERROR);
        }
    }

    @Override
    public void close(WebSocketCloseStatus status) {
        if (!CloseFrame.isSendable(status.code())) {
            throw new IllegalArgumentException(status + " (expected: a code that may be sent)");
        }
        closing.close(status);
        continueReading();
    }

    void fail(WebSocketCloseStatus status) {
        closing.end(status);
    }

    @Override
    public void end() {
        closing.end(WebSocketCloseStatus.ENDPOINT_UNAVAILABLE);
        writer.writeAll();
    }

    @Override
    public void close(TunnelConnection ofClient) {
        writer.closeWhenWritten();
    }

    @Override
    public void closed() {
        closing.closed();
    }

    private void ended() {
        keepAlive.stop();
        route.observer().closed();
        tell(listener::closed);
    }

    /** Closes a socket that holds a part of a message, or much that its client has not read. */
    @Override
    public void memoryShort() {
        if (reader.unfinished() > 0 || listener.holdsOutput()) {
            failed(ProtocolException.tryAgainLater());
        }
    }

    @Override
    public void drain() {
        goingAway = true;
        paused = true;
        closeIfAway();
    }

    private void closeIfAway() {
        if (goingAway && requests == 0) {
            close(WebSocketCloseStatus.ENDPOINT_UNAVAILABLE);
        }
    }

    @Override
    public void sendText(ByteBuf message) {
        send(true, message);
    }

    @Override
    public void sendBinary(ByteBuf message) {
        send(false, message);
    }

    private void send(boolean text, ByteBuf message) {
        if (closing.isOpen()) {
            route.observer().sent(message.readableBytes());
            writer.message(text, message);
        } else {
            message.release();
        }
    }

    @Override
    public void send(SharedMessage message) {
        if (closing.isOpen()) {
            route.observer().sent(message.size());
            writer.message(message);
        }
    }

    @Override
    public boolean isWritable() {
        return writer.isWritable();
    }

    @Override
    public void pause() {
        paused = true;
    }

    @Override
    public void resume() {
        paused = goingAway;
        continueReading();
    }

    private void continueReading() {
        if (reader.turnBegins()) {
            writer.onReadStart();
            try {
                reader.decodeKept();
            } catch (Throwable e) {
                failed(e);
            } finally {
                writer.onReadEnd();
                keepAlive.onReadEnd();
            }
        }
    }

    @Override
    public void beginRequest() {
        requests++;
    }

    @Override
    public void endRequest() {
        requests--;
        closeIfAway();
    }

    @Override
    public void dropped(DropReason reason) {
        route.observer().dropped(reason);
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public InetSocketAddress clientAddress() {
        return client;
    }

    @Override
    public EventExecutor eventLoop() {
        return connection.eventLoop();
    }

    @Override
    public ByteBufAllocator alloc() {
        return connection.alloc();
    }
}
