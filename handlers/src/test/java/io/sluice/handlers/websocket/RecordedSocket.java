package io.sluice.handlers.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.WebSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A socket without a client, which records the calls. Confined to its event loop, as real sockets are. */
public final class RecordedSocket implements WebSocket {
    public static final AtomicInteger ENCODINGS = new AtomicInteger();
    private static final SharedMessage.Encoding FRAME = (_, payload) -> {
        ENCODINGS.incrementAndGet();
        return payload.copy();
    };

    public final List<String> received = new ArrayList<>();
    public final List<DropReason> dropped = new ArrayList<>();
    public final List<String> calls = new ArrayList<>();
    public boolean writable = true;
    /** The number of further messages until the socket is not writable. */
    public int writableFor = Integer.MAX_VALUE;
    public WebSocketCloseStatus closedWith;
    public Runnable onReceive = () -> { };

    private final EventExecutor loop;

    public RecordedSocket(EventExecutor loop) {
        this.loop = loop;
    }

    @Override
    public void send(SharedMessage message) {
        sendText(message.as(FRAME));
    }

    @Override
    public void sendText(ByteBuf message) {
        if (!loop.inEventLoop()) {
            throw new AssertionError("sent from " + Thread.currentThread());
        }
        received.add(message.toString(StandardCharsets.UTF_8));
        message.release();
        writable = --writableFor > 0;
        onReceive.run();
    }

    @Override
    public void sendBinary(ByteBuf message) {
        calls.add("binary");
        sendText(message);
    }

    @Override
    public boolean isWritable() {
        return writable;
    }

    @Override
    public void pause() {
        calls.add("pause");
    }

    @Override
    public void resume() {
        calls.add("resume");
    }

    @Override
    public void dropped(DropReason reason) {
        dropped.add(reason);
    }

    @Override
    public void close(WebSocketCloseStatus status) {
        closedWith = status;
    }

    @Override
    public EventExecutor eventLoop() {
        return loop;
    }

    @Override
    public ByteBufAllocator alloc() {
        return PooledByteBufAllocator.DEFAULT;
    }

    @Override
    public String id() {
        return "test";
    }

    @Override
    public InetSocketAddress clientAddress() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    }

    @Override
    public void beginRequest() {
        calls.add("begin");
    }

    @Override
    public void endRequest() {
        calls.add("end");
    }
}
