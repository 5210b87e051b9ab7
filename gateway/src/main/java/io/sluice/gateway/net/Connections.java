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

/** The open connections of a listener, and whether they are being drained. */
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
     * No connections yet.
     *
     * @param idleGrace how long a connection may stay silent while draining
     */
    public Connections(Duration idleGrace) {
        this.idleGrace = idleGrace;
    }

    void add(Channel channel) {
        open.add(channel);
    }

    /** Whether they are to come to an end. */
    public boolean draining() {
        return draining;
    }

    /** How long a connection may stay silent while draining. */
    public Duration idleGrace() {
        return idleGrace;
    }

    /** Changes how long a connection may stay silent while draining. */
    public void idleGrace(Duration time) {
        idleGrace = time;
    }

    /** Logs why a connection is given up. */
    public static void broke(Throwable cause) {
        if (cause instanceof IOException) {
            log.debug("a connection broke", cause);
        } else {
            log.warn("a connection failed", cause);
        }
    }

    /** How many there are. */
    public int count() {
        return open.size();
    }

    /** Counts a connection or stream that another protocol has taken over. */
    public void tunnelOpened() {
        openTunnels.increment();
        tunnels.increment();
    }

    /** Counts the end of one. */
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

    /** Bytes that all tunnels have received. */
    public long tunnelBytesIn() {
        return tunnelBytesIn.sum();
    }

    /** Bytes that all tunnels have written. */
    public long tunnelBytesOut() {
        return tunnelBytesOut.sum();
    }

    /** How many tunnels are open, each on a connection of its own or on a stream. */
    public long openTunnels() {
        return openTunnels.sum();
    }

    /** How many tunnels have been opened. */
    public long tunnels() {
        return tunnels.sum();
    }

    /**
     * From now on each answer is its connection's last, silent connections are closed, and tunnels one after
     * the other.
     *
     * @param window over which the tunnels are spread, so that their clients do not come back at once
     */
    public void drain(Duration window) {
        draining = true;
        List<Channel> all = List.copyOf(open);
        for (int i = 0; i < all.size(); i++) {
            all.get(i).pipeline().fireUserEventTriggered(
                    new DrainEvent(window.toNanos() / all.size() * i, window.toNanos()));
        }
    }

    /** Tells every connection whether memory is short. */
    public void memory(boolean isShort) {
        Record event = isShort ? new MemoryShortEvent() : new MemoryBackEvent();
        open.forEach(channel -> channel.pipeline().fireUserEventTriggered(event));
    }

    /** Waits until there are none, or for so long; says which. */
    public boolean awaitEmpty(Duration time) throws InterruptedException {
        return open.newCloseFuture().await(time.toMillis());
    }

    /** Force-closes what is left, and waits until that is done; WebSockets get 1001. */
    public void closeAll() {
        open.forEach(channel -> channel.pipeline().fireUserEventTriggered(new EndEvent()));
        open.close().awaitUninterruptibly();
    }

    /**
     * Tells a pipeline that draining has begun.
     *
     * @param delayNanos from now until the connection's tunnel is to be closed
     * @param windowNanos over which the tunnels of all connections are spread
     */
    public record DrainEvent(long delayNanos, long windowNanos) {

        /**
         * The event for one of the streams of this connection, so that their tunnels are spread as evenly.
         */
        public DrainEvent ofStream(int stream, int streams) {
            return new DrainEvent((delayNanos + windowNanos * stream) / streams, windowNanos);
        }
    }

    /** Tells a pipeline that memory is short: what waits for the rest of a head should not hold any. */
    public record MemoryShortEvent() {
    }

    /** Tells a pipeline that memory is not short any more: who waited for some goes on. */
    public record MemoryBackEvent() {
    }

    /** Tells a pipeline that its channel is closed next, whatever still runs. */
    public record EndEvent() {
    }
}
