package io.sluice.gateway.net;

import io.netty.channel.Channel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The open connections of the client ports or of the admin port. */
public final class Connections {
    private static final Logger log = LoggerFactory.getLogger(Connections.class);

    private final ChannelGroup open = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private volatile Duration idleGrace;
    private final TunnelCounts tunnels = new TunnelCounts();
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

    /** Returns the counts of the tunnels on these connections. */
    public TunnelCounts tunnels() {
        return tunnels;
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
                    new ConnectionEvent.Drain(window.toNanos() / all.size() * i, window.toNanos()));
        }
    }

    /**
     * Notifies every connection that memory is short.
     *
     * @param heap whether it is the heap
     */
    public void memoryShort(boolean heap) {
        fire(new ConnectionEvent.MemoryShort(heap));
    }

    /** Notifies every connection that direct memory is sufficient again, or some client's share of it. */
    public void memoryBack() {
        fire(new ConnectionEvent.MemoryBack());
    }

    private void fire(ConnectionEvent event) {
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
        fire(new ConnectionEvent.End());
        open.close().awaitUninterruptibly();
    }
}
