package io.sluice.gateway.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.config.SocketConfig;
import io.sluice.gateway.net.ReadingTurn;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.Tunnel;
import io.sluice.handlers.TunnelConnection;
import io.sluice.handlers.WebSocket;
import io.sluice.handlers.WebSocketListener;
import java.net.InetSocketAddress;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A WebSocket from its handshake to its end, between its client's connection and its listener. */
final class WebSocketConnection implements WebSocket, Tunnel, MessageAssembler.Receiver {
    private static final Logger log = LoggerFactory.getLogger(WebSocketConnection.class);

    private final String id;
    private final InetSocketAddress client;
    private final SocketConfig config;
    private final PerMessageDeflate compression;
    private final WebSocketListener listener;
    private final SocketMeter meter;
    private final long handshakeNanos;
    private TunnelConnection connection;
    private SocketReader reader;
    private SocketWriter writer;
    private KeepAlive keepAlive;
    private ClosingHandshake closing;
    private ReadingTurn turn;
    private boolean paused;
    private int requests;
    private boolean goingAway;

    /**
     * A socket whose handshake is about to be answered.
     *
     * @param compression what was agreed on; null for none
     * @param handshakeNanos when the handshake came, by the event loop's clock
     */
    WebSocketConnection(Exchange handshake, SocketConfig config, PerMessageDeflate compression,
                        WebSocketListener listener, SocketMeter meter, long handshakeNanos) {
        id = handshake.requestId();
        client = handshake.clientAddress();
        this.config = config;
        this.compression = compression;
        this.listener = listener;
        this.meter = meter;
        this.handshakeNanos = handshakeNanos;
    }

    @Override
    public void opened(TunnelConnection opened) {
        connection = opened;
        var assembler = new MessageAssembler(this, alloc(), config.maxMessage().bytes());
        turn = new ReadingTurn(eventLoop(), this::goOn);
        reader = new SocketReader(new FrameDecoder(assembler, compression != null, config.maxFrame().bytes()),
                assembler, connection);
        writer = new SocketWriter(connection, MessageEncoding.of(compression, config.compressFrom().bytes()));
        closing = new ClosingHandshake(connection, reader, writer, config.closeTimeout(), this::ended);
        keepAlive = new KeepAlive(this, eventLoop(), config);
        meter.opened(eventLoop().ticker().nanoTime() - handshakeNanos);
        tell(listener::opened);
    }

    // --- what comes

    @Override
    public void read(ByteBuf bytes) {
        keepAlive.heard();
        turn.readBegins();
        writer.readBegins();
        try {
            reader.read(bytes);
        } catch (ProtocolException e) {
            failed(e);
        }
    }

    @Override
    public void readComplete() {
        turn.readEnds();
        writer.readEnds();
    }

    @Override
    public boolean takes(int opcode) {
        return (Opcode.isControl(opcode) || !paused || !closing.isOpen()) && turn.goesOn();
    }

    @Override
    public void message(boolean text, ByteBuf payload) {
        if (!closing.isOpen()) {
            return;
        }
        meter.received(payload.readableBytes());
        try {
            if (text) {
                listener.text(this, payload);
            } else {
                listener.binary(this, payload);
            }
        } catch (Throwable e) {
            failed(e);
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

    private void failed(Throwable cause) {
        if (cause instanceof ProtocolException violation) {
            log.debug("the client of socket {} is at fault: {}", id, violation.getMessage());
            closing.end(violation.status());
        } else {
            log.error("the handler of socket {} failed", id, cause);
            closing.end(WebSocketCloseStatus.INTERNAL_SERVER_ERROR);
        }
    }

    // --- the end

    @Override
    public void close(WebSocketCloseStatus status) {
        if (!CloseFrame.isSendable(status.code())) {
            throw new IllegalArgumentException(status + " (expected: a code that may be sent)");
        }
        closing.close(status);
        goOn();
    }

    void fail(WebSocketCloseStatus status) {
        closing.end(status);
    }

    @Override
    public void end() {
        closing.end(WebSocketCloseStatus.ENDPOINT_UNAVAILABLE);
    }

    /** Something of ours failed that no listener has to do with. */
    void broke(Throwable cause) {
        log.error("socket {} failed", id, cause);
        connection.reset();
    }

    @Override
    public void closed() {
        closing.closed();
    }

    private void ended() {
        keepAlive.stop();
        meter.closed();
        tell(listener::closed);
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

    // --- what the listener asks for

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
            meter.sent(message.readableBytes());
            writer.message(text, message);
        } else {
            message.release();
        }
    }

    @Override
    public void send(SharedMessage message) {
        if (closing.isOpen()) {
            meter.sent(message.size());
            writer.message(message);
        }
    }

    /** Whether it is not the client that holds things up: it reads, and has sent what nobody takes. */
    boolean keepsClientWaiting() {
        return reader.keepsBack() && isWritable();
    }

    SocketWriter writer() {
        return writer;
    }

    @Override
    public boolean isWritable() {
        return connection.isWritable();
    }

    @Override
    public void pause() {
        paused = true;
    }

    @Override
    public void resume() {
        paused = goingAway;
        goOn();
    }

    private void goOn() {
        if (!reader.isReading() && turn.begins()) {
            writer.readBegins();
            try {
                reader.goOn();
            } catch (ProtocolException e) {
                failed(e);
            }
            writer.readEnds();
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
        meter.dropped(reason);
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
