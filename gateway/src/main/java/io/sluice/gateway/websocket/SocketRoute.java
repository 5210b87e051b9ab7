package io.sluice.gateway.websocket;

import io.sluice.config.SocketConfig;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The open WebSockets of a route, and their current settings. Like its sockets, it survives a reload of the
 * route. Thread-safe.
 *
 * @param <T> the settings of the route's {@link io.sluice.handlers.WebSocketHandler}
 */
public final class SocketRoute<T> implements Supplier<T> {
    private final String uri;
    private final SocketMeter meter;
    private final Set<WebSocketConnection> open = ConcurrentHashMap.newKeySet();
    private volatile SocketConfig config;
    private volatile T settings;
    private volatile boolean closed;

    /**
     * A route without sockets.
     *
     * @param uri the template of its path
     */
    public SocketRoute(String uri, SocketMeter meter, SocketConfig config, T settings) {
        this.uri = uri;
        this.meter = meter;
        this.config = config;
        this.settings = settings;
    }

    /** Replaces the settings, for open sockets too, from their next messages on. */
    public void follow(SocketConfig nextConfig, T nextSettings) {
        config = nextConfig;
        settings = nextSettings;
    }

    /** The handler's settings. */
    @Override
    public T get() {
        return settings;
    }

    /** The number of open WebSockets. */
    public int open() {
        return open.size();
    }

    /**
     * Closes all sockets with 1001, each after its running requests; returns without waiting for that.
     * Sockets that open later are closed at once.
     *
     * @param window over which the closes are spread, so that the clients do not all reconnect at the same
     *     time
     */
    public void close(Duration window) {
        closed = true;
        List<WebSocketConnection> all = List.copyOf(open);
        for (int i = 0; i < all.size(); i++) {
            WebSocketConnection socket = all.get(i);
            long delay = window.toNanos() / all.size() * i;
            socket.eventLoop().schedule(socket::drain, delay, TimeUnit.NANOSECONDS);
        }
    }

    String uri() {
        return uri;
    }

    SocketMeter meter() {
        return meter;
    }

    SocketConfig config() {
        return config;
    }

    /**
     * Registers an opened socket.
     *
     * @param nanos from the arrival of the handshake's head
     */
    void opened(WebSocketConnection socket, long nanos) {
        meter.opened(nanos);
        open.add(socket);
        if (closed) { // its handshake began before the close
            socket.eventLoop().execute(socket::drain);
        }
    }

    void closed(WebSocketConnection socket) {
        open.remove(socket);
        meter.closed();
    }
}
