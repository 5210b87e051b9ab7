package io.sluice.gateway.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.config.SocketConfig;
import io.sluice.gateway.net.ReadAhead;
import io.sluice.gateway.net.ReadingTurn;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.WebSocket;
import io.sluice.handlers.WebSocketListener;
import java.net.InetSocketAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection from its handshake to its end, between its client and its listener. */
final class WebSocketConnection implements WebSocket, MessageAssembler.Receiver {
    private static final Logger log = LoggerFactory.getLogger(WebSocketConnection.class);

    private final String id;
    private final InetSocketAddress client;
    private final SocketConfig config;
    private final PerMessageDeflate compression;
    private final WebSocketListener listener;
    private final SocketMeter meter;
    private final ReadAhead readAhead;
    private ChannelHandlerContext ctx;
    private SocketReader reader;
    private SocketWriter writer;
    private KeepAlive keepAlive;
    private ClosingHandshake closing;
    private ReadingTurn turn;
    private boolean paused;
    private int requests;
    private boolean goingAway;

    /**
     * A connection whose handshake is about to be done.
     *
     * @param compression what was agreed on; null for none
     */
    WebSocketConnection(String id, InetSocketAddress client, SocketConfig config,
                        PerMessageDeflate compression, WebSocketListener listener, SocketMeter meter,
                        ReadAhead readAhead) {
        this.id = id;
        this.client = client;
        this.config = config;
        this.compression = compression;
        this.listener = listener;
        this.meter = meter;
        this.readAhead = readAhead;
    }

    /** The handshake is answered; the answer is sent behind this. */
    void open(ChannelHandlerContext context) {
        ctx = context;
        var assembler = new MessageAssembler(this, ctx.alloc(), config.maxMessage().bytes());
        turn = new ReadingTurn(ctx.executor(), this::goOn);
        reader = new SocketReader(new FrameDecoder(assembler, compression != null, config.maxFrame().bytes()),
                assembler, readAhead);
        writer = new SocketWriter(ctx, MessageEncoding.of(compression, config.compressFrom().bytes()));
        closing = new ClosingHandshake(ctx, reader, writer, config.closeTimeout(), this::ended);
        keepAlive = new KeepAlive(this, ctx.executor(), config);
        try {
            listener.opened(this);
        } catch (Throwable e) {
            failed(e);
        }
    }

    // --- what comes

    /** Bytes have come, which are the connection's from here on. */
    void read(ByteBuf bytes) {
        keepAlive.heard();
        turn.readBegins();
        writer.readBegins();
        try {
            reader.read(bytes);
        } catch (ProtocolException e) {
            failed(e);
        }
    }

    void readEnds() {
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
            closing.answer(CloseFrame.answerTo(payload));
        }
    }

    /** The client takes messages again. */
    void writable() {
        if (closing.isOpen() && isWritable()) {
            writer.writable();
            try {
                listener.writable(this);
            } catch (Throwable e) {
                failed(e);
            }
        }
    }

    private void failed(Throwable cause) {
        if (cause instanceof ProtocolException violation) {
            log.debug("the client of socket {} is at fault: {}", id, violation.getMessage());
            fail(violation.status());
        } else {
            log.error("the handler of socket {} failed", id, cause);
            fail(WebSocketCloseStatus.INTERNAL_SERVER_ERROR);
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

    /** Closes a socket whose client cannot be expected to close it. */
    void fail(WebSocketCloseStatus status) {
        closing.fail(status);
    }

    /** Something of ours failed that no listener has to do with. */
    void broke(Throwable cause) {
        log.error("socket {} failed", id, cause);
        ctx.close();
    }

    /** The connection has ended. */
    void gone() {
        closing.gone();
    }

    private void ended() {
        keepAlive.stop();
        meter.closed();
        try {
            listener.closed(this);
        } catch (Throwable e) {
            failed(e);
        }
    }

    /** Closes behind what runs, and begins nothing new. */
    void goAway() {
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

    void ping() {
        writer.ping();
    }

    /** Whether it is not the client that holds things up: it reads, and has sent what nobody takes. */
    boolean keepsClientWaiting() {
        return reader.keepsBack() && isWritable();
    }

    boolean isTaken() {
        return writer.isTaken();
    }

    @Override
    public boolean isWritable() {
        return ctx.channel().isWritable();
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
        return ctx.executor();
    }

    @Override
    public ByteBufAllocator alloc() {
        return ctx.alloc();
    }
}
