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

/** A tunnel that sends back each byte, and writes down what happens to it. */
public class EchoTunnel implements Tunnel {
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final StringBuilder received = new StringBuilder();
    private volatile TunnelConnection connection;

    /** Takes the connection of a request over, whatever protocol it asks for. */
    public void accept(Exchange exchange) {
        Upgrade upgrade = exchange.upgrade().orElseThrow();
        exchange.onAbort(() -> events.add("aborted"));
        upgrade.accept(upgrade.protocols().getFirst(), new DefaultHttpHeaders().set("Content-Length", 0),
                this);
    }

    /** The connection, once it has been opened. */
    TunnelConnection connection() {
        return connection;
    }

    /** Does something on the connection's event loop. */
    void run(Runnable step) {
        connection.eventLoop().submit(step).syncUninterruptibly();
    }

    /** Writes and flushes a text. */
    void send(String text) {
        connection.write(connection.alloc().buffer().writeBytes(text.getBytes(StandardCharsets.ISO_8859_1)));
        connection.flush();
    }

    /** The next that has happened; null where nothing does for half a minute. */
    String next() throws InterruptedException {
        return events.poll(30, TimeUnit.SECONDS);
    }

    /** Whether nothing else has happened. */
    boolean isSilent() {
        return events.isEmpty();
    }

    /** All that the client has sent, as far as it has been read. */
    synchronized String received() {
        return received.toString();
    }

    private synchronized void note(String text) {
        received.append(text);
    }

    /** Writes down that something has happened. */
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
