package io.sluice.gateway.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.WebSocket;
import io.sluice.handlers.WebSocketListener;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A socket on a real event loop, whose client is the test. While it is paused, it keeps received texts. */
final class FakeSocket implements WebSocket {
    final BlockingQueue<String> sent = new LinkedBlockingQueue<>();
    volatile WebSocketCloseStatus closedWith;
    volatile int requests;
    volatile boolean paused;
    private final EventExecutor loop;
    private final WebSocketListener listener;
    private final Deque<String> held = new ArrayDeque<>();
    private boolean writable = true;

    FakeSocket(EventExecutor loop, WebSocketListener listener) {
        this.loop = loop;
        this.listener = listener;
        onLoop(() -> listener.opened(this));
    }

    /** Runs a step on the event loop and waits for it; if called there, runs it at once. */
    void onLoop(Runnable step) {
        if (loop.inEventLoop()) {
            step.run();
        } else {
            loop.submit(step).syncUninterruptibly();
        }
    }

    /** Receives texts from the client in one task. */
    void receive(String... texts) {
        onLoop(() -> {
            for (String text : texts) {
                held.add(text);
            }
            deliver();
        });
    }

    private void deliver() {
        while (!paused && !held.isEmpty()) {
            byte[] text = held.poll().getBytes(StandardCharsets.UTF_8);
            ByteBuf message = alloc().buffer(text.length + 7).writeZero(7).writeBytes(text).skipBytes(7);
            try {
                listener.text(this, message);
            } finally {
                message.release();
            }
        }
    }

    WebSocketListener listener() {
        return listener;
    }

    /** Sets whether the socket is writable. */
    void writable(boolean now) {
        onLoop(() -> {
            writable = now;
            if (now) {
                listener.writable(this);
            }
        });
    }

    /** Closes the socket, as the client. */
    void goAway() {
        onLoop(() -> listener.closed(this));
    }

    @Override
    public String id() {
        return "socket";
    }

    @Override
    public InetSocketAddress clientAddress() {
        return new InetSocketAddress("192.0.2.1", 4711);
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
    public void sendText(ByteBuf message) {
        if (!loop.inEventLoop()) {
            throw new AssertionError("sent by another thread");
        }
        if (closedWith == null) {
            sent.add(message.toString(StandardCharsets.UTF_8));
        }
        message.release();
    }

    @Override
    public void sendBinary(ByteBuf message) {
        throw new AssertionError("not for texts");
    }

    @Override
    public void send(SharedMessage message) {
        throw new AssertionError("not for one client");
    }

    @Override
    public boolean isWritable() {
        return writable;
    }

    @Override
    public void pause() {
        paused = true;
    }

    @Override
    public void resume() {
        paused = false;
        deliver();
    }

    @Override
    public void beginRequest() {
        requests++;
    }

    @Override
    public void endRequest() {
        requests--;
    }

    @Override
    public void dropped(DropReason reason) {
        throw new AssertionError("nothing is dropped");
    }

    @Override
    public void close(WebSocketCloseStatus status) {
        closedWith = status;
    }
}
