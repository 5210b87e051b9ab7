package io.sluice.gateway.net;

import io.netty.channel.Channel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The open connections of the client ports or of the admin port, their drain, and counts of tunnels. */
public final class Connections {
    private static final Logger log = LoggerFactory.getLogger(Connections.class);

    private final ChannelGroup open = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private volatile Duration idleGrace;
    private final LongAdder openTunnels = new LongAdder();
    private final LongAdder tunnels = new LongAdder();
    private final LongAdder tunnelBytesIn = new LongAdder();
    private final LongAdder tunnelBytesOut = new LongAdder();
    private volatile boolean draining;

    /**
     * An empty set of connections.
     *
     * @param idleGrace how long a connection may stay silent while draining
     */
    public Connections(Duration idleGrace) {
        this.idleGrace = idleGrace;
    }

    void add(Channel channel) {
        open.add(channel);
    }

    /** Returns whether the connections are being drained. */
    public boolean draining() {
        return draining;
    }

    /** Returns how long a connection may stay silent while draining. */
    public Duration idleGrace() {
        return idleGrace;
    }

    /** Changes how long a connection may stay silent while draining. */
    public void idleGrace(Duration time) {
        idleGrace = time;
    }

    /** Logs why a connection is given up. */
    public static void logBroken(Throwable cause) {
        if (cause instanceof IOException) {
            log.debug("a connection broke", cause);
        } else {
            log.warn("a connection failed", cause);
        }
    }

    /** Returns the number of open connections. */
    public int count() {
        return open.size();
    }

    /** Counts a connection or stream that another protocol has taken over. */
    public void tunnelOpened() {
        openTunnels.increment();
        tunnels.increment();
    }

    /** Counts the end of such a connection or stream. */
    public void tunnelClosed() {
        openTunnels.decrement();
    }

    /** Counts bytes that a tunnel has received. */
    public void tunnelRead(int bytes) {
        tunnelBytesIn.add(bytes);
    }

    /** Counts bytes that a tunnel has written. */
    public void tunnelWrote(int bytes) {
        tunnelBytesOut.add(bytes);
    }

    /** Returns how many bytes all tunnels have received. */
    public long tunnelBytesIn() {
        return tunnelBytesIn.sum();
    }

    /** Returns how many bytes all tunnels have written. */
    public long tunnelBytesOut() {
        return tunnelBytesOut.sum();
    }

    /** Returns the number of open tunnels, each on a connection of its own or on a stream. */
    public long openTunnels() {
        return openTunnels.sum();
    }

    /** Returns the number of tunnels opened so far. */
    public long tunnels() {
        return tunnels.sum();
    }

    /**
     * Starts the drain: from now on each response is the last one on its connection, silent connections are
     * closed, and tunnels are closed one after the other. Returns at once.
     *
     * @param window over which the closes of tunnels are spread, so that the clients do not all reconnect at
     *     the same time
     */
    public void drain(Duration window) {
        draining = true;
        List<Channel> all = List.copyOf(open);
        for (int i = 0; i < all.size(); i++) {
            all.get(i).pipeline().fireUserEventTriggered(
                    new DrainEvent(window.toNanos() / all.size() * i, window.toNanos()));
        }
    }

    /** Notifies every connection that direct memory is short. */
    public void memoryShort() {
        fire(new MemoryShortEvent());
    }

    /** Notifies every connection that direct memory is sufficient again. */
    public void memoryBack() {
        fire(new MemoryBackEvent());
    }

    private void fire(Record event) {
        open.forEach(channel -> channel.pipeline().fireUserEventTriggered(event));
    }

    /**
     * Waits until all connections are closed, but no longer than a time.
     *
     * @return whether all are closed
     */
    public boolean awaitEmpty(Duration time) throws InterruptedException {
        return open.newCloseFuture().await(time.toMillis());
    }

    /** Force-closes the remaining connections and waits until that is done; WebSockets get 1001. */
    public void closeAll() {
        fire(new EndEvent());
        open.close().awaitUninterruptibly();
    }

    /** Notifies a pipeline that draining has begun. */
    public record DrainEvent(long delayNanos, long windowNanos) {

        /**
         * The event for one of the streams of this connection; spreads the streams' tunnels over the window
         * as evenly.
         */
        public DrainEvent ofStream(int stream, int streams) {
            return new DrainEvent((delayNanos + windowNanos * stream) / streams, windowNanos);
        }
    }

    /**
     * Notifies a pipeline that memory is short: a connection that waits for the rest of a request head or of
     * a message is refused or closed, to release what it holds.
     */
    public record MemoryShortEvent() {
    }

    /** Notifies a pipeline that memory is sufficient again: paused reads and writes continue. */
    public record MemoryBackEvent() {
    }

    /** Notifies a pipeline that its channel is closed next, even if requests still run. */
    public record EndEvent() {
    }
}
