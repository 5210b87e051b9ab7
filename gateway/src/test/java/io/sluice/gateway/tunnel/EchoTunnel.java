package io.sluice.gateway.tunnel;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.Tunnel;
import io.sluice.handlers.TunnelConnection;
import io.sluice.handlers.Upgrade;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A tunnel that echoes each byte, and records its events. */
public class EchoTunnel implements Tunnel {
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final StringBuilder received = new StringBuilder();
    private volatile TunnelConnection connection;

    /** Accepts the upgrade of a request to any protocol. */
    public void accept(Exchange exchange) {
        Upgrade upgrade = exchange.upgrade().orElseThrow();
        exchange.onAbort(() -> events.add("aborted"));
        upgrade.accept(upgrade.protocols().getFirst(), new DefaultHttpHeaders().set("Content-Length", 0),
                this);
    }

    /** Returns the connection; null until it is open. */
    TunnelConnection connection() {
        return connection;
    }

    /** Runs a step on the connection's event loop, and waits for it. */
    void run(Runnable step) {
        connection.eventLoop().submit(step).syncUninterruptibly();
    }

    /** Writes and flushes a text. */
    void send(String text) {
        connection.write(connection.alloc().buffer().writeBytes(text.getBytes(StandardCharsets.ISO_8859_1)));
        connection.flush();
    }

    /** Returns the next event; null after 30 s. */
    String next() throws InterruptedException {
        return events.poll(30, TimeUnit.SECONDS);
    }

    /** Returns whether no further event has occurred. */
    boolean isSilent() {
        return events.isEmpty();
    }

    /** Returns the bytes that have been received so far. */
    synchronized String received() {
        return received.toString();
    }

    private synchronized void note(String text) {
        received.append(text);
    }

    /** Records an event. */
    protected final void happens(String event) {
        events.add(event);
    }

    @Override
    public void opened(TunnelConnection opened) {
        connection = opened;
        happens("opened");
    }

    @Override
    public void read(ByteBuf bytes) {
        note(bytes.toString(StandardCharsets.ISO_8859_1));
        connection.write(bytes);
    }

    @Override
    public void readComplete() {
        connection.flush();
    }

    @Override
    public boolean allowsHalfClose() {
        return true;
    }

    @Override
    public void inputClosed() {
        happens("input closed");
    }

    @Override
    public void drain() {
        happens("drain");
    }

    @Override
    public void end() {
        happens("end");
    }

    @Override
    public void closed() {
        happens("closed");
    }
}
