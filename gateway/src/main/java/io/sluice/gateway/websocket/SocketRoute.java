package io.sluice.gateway.websocket;

import io.sluice.config.SocketConfig;
import io.sluice.config.TimeoutsConfig;
import java.util.function.Supplier;

/**
 * The current settings of a route's WebSockets, and their observer. Like its sockets, it survives a reload of
 * the route. Thread-safe.
 *
 * @param <T> the settings of the route's {@link io.sluice.handlers.WebSocketHandler}
 */
public final class SocketRoute<T> implements Supplier<T> {
    private final String uri;
    private final SocketObserver observer;
    private volatile TimeoutsConfig timeouts;
    private volatile SocketConfig config;
    private volatile T settings;

    /**
     * The settings of a route without sockets.
     *
     * @param uri the template of its path
     * @param timeouts the pace at which clients have to send their messages
     */
    public SocketRoute(String uri, SocketObserver observer, TimeoutsConfig timeouts, SocketConfig config,
                       T settings) {
        this.uri = uri;
        this.observer = observer;
        this.timeouts = timeouts;
        this.config = config;
        this.settings = settings;
    }

    /**
     * Replaces the settings, for open sockets too, from their next messages on.
     *
     * @param nextTimeouts for sockets that are opened from here on
     */
    public void update(TimeoutsConfig nextTimeouts, SocketConfig nextConfig, T nextSettings) {
        timeouts = nextTimeouts;
        config = nextConfig;
        settings = nextSettings;
    }

    /** Returns the handler's settings. */
    @Override
    public T get() {
        return settings;
    }

    String uri() {
        return uri;
    }

    SocketObserver observer() {
        return observer;
    }

    TimeoutsConfig timeouts() {
        return timeouts;
    }

    SocketConfig config() {
        return config;
    }
}
