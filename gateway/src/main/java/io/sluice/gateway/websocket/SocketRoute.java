package io.sluice.gateway.websocket;

import io.sluice.config.SocketConfig;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The open WebSockets of a route, and the settings that hold for them now. It outlives a reload of the route,
 * as its sockets do. Thread-safe.
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

    /** Has other settings hold from here on, for the next messages of open sockets too. */
    public void follow(SocketConfig nextConfig, T nextSettings) {
        config = nextConfig;
        settings = nextSettings;
    }

    /** The handler's settings. */
    @Override
    public T get() {
        return settings;
    }

    /** How many of its sockets are open. */
    public int open() {
        return open.size();
    }

    /**
     * Closes its sockets with 1001, each when its running requests are done; does not wait for that.
     *
     * @param window over which they are spread, so that their clients do not come back at once
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

    /** A handshake was done, in so much time from its head. */
    void opened(WebSocketConnection socket, long nanos) {
        meter.opened(nanos);
        open.add(socket);
        if (closed) { // a handshake that began before
            socket.eventLoop().execute(socket::drain);
        }
    }

    void closed(WebSocketConnection socket) {
        open.remove(socket);
        meter.closed();
    }
}
