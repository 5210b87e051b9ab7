package io.sluice.handlers.upstream;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.sluice.config.UpstreamConfig;
import io.sluice.handlers.upstream.UpstreamException.Stage;
import io.sluice.handlers.upstream.connect.Connector;
import io.sluice.handlers.upstream.connect.Opening;
import io.sluice.handlers.upstream.endpoint.ProxyHeader;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Connections of HTTP/1.1, each with one request at a time. Idle ones are reused last in, first out, so that
 * the others become old and are closed.
 */
final class Http1Connections implements EndpointConnections {
    private final Endpoint endpoint;
    private final EventLoop loop;
    private final Connector connector;
    private final UpstreamConfig config;
    private final ArrayDeque<Http1Connection> idle = new ArrayDeque<>();
    /** Closes connections that have been idle for too long; null while there are none. */
    private @Nullable Future<?> sweep;
    private boolean closed;

    Http1Connections(Endpoint endpoint, EventLoop loop, Connector connector, UpstreamConfig config) {
        this.endpoint = endpoint;
        this.loop = loop;
        this.connector = connector;
        this.config = config;
    }

    Endpoint endpoint() {
        return endpoint;
    }

    @Override
    public Opening open(StreamUser user) {
        InetSocketAddress of = config.proxyProtocol() ? user.client() : null;
        for (Http1Connection kept = pollIdle(of); kept != null; kept = pollIdle(of)) {
            if (kept.isOpen()) {
                user.opened(kept);
                return Opening.DONE;
            }
        }
        Opening connecting = connector.connect(of, new Connector.User() {
            @Override
            public void connected(Channel channel, boolean http2) {
                user.opened(add(channel));
            }

            @Override
            public void failed(@Nullable Throwable cause) {
                endpoint.failed(Stage.CONNECT, cause);
                user.failed(new UpstreamException(endpoint, Stage.CONNECT, cause));
            }
        });
        return () -> {
            connecting.cancel();
            endpoint.cancelled();
        };
    }

    /** Adds the handlers of an open connection. */
    Http1Connection add(Channel channel) {
        var decoder = new Http1ResponseDecoder();
        var connection = new Http1Connection(this, decoder);
        channel.pipeline().addLast(decoder, connection);
        return connection;
    }

    /**
     * Returns the connection that was used last; null if there is none.
     *
     * @param client whose connection it has to be; null if they belong to no client
     */
    private @Nullable Http1Connection pollIdle(@Nullable InetSocketAddress client) {
        if (client == null) {
            return idle.pollLast();
        }
        for (var kept = idle.descendingIterator(); kept.hasNext();) {
            Http1Connection connection = kept.next();
            if (client.equals(ProxyHeader.client(connection.channel()))) {
                kept.remove();
                return connection;
            }
        }
        return null;
    }

    @Override
    public int idle() {
        return idle.size();
    }

    /** Keeps a connection whose response has ended. */
    void keep(Http1Connection connection) {
        if (closed || config.maxIdle() == 0 || !connection.isOpen()) {
            connection.close();
            return;
        }
        if (idle.size() == config.maxIdle()) {
            idle.pollFirst().close(); // perhaps that of a client which has gone
        }
        connection.idleSince(loop.ticker().nanoTime());
        idle.addLast(connection);
        if (sweep == null) {
            scheduleSweep();
        }
    }

    private void scheduleSweep() {
        long age = loop.ticker().nanoTime() - idle.getFirst().idleSinceNanos();
        sweep = loop.schedule(this::sweep, Math.max(0, config.keepAlive().toNanos() - age),
                TimeUnit.NANOSECONDS);
    }

    private void sweep() {
        long oldest = loop.ticker().nanoTime() - config.keepAlive().toNanos();
        while (!idle.isEmpty() && idle.getFirst().idleSinceNanos() - oldest <= 0) {
            idle.pollFirst().close();
        }
        sweep = null;
        if (!idle.isEmpty()) {
            scheduleSweep();
        }
    }

    void closed(Http1Connection connection) {
        idle.remove(connection);
    }

    /**
     * Closes the idle connections, as one that was used later has been closed by the endpoint: a repeated
     * request gets a new one.
     */
    void stale() {
        idle.forEach(Http1Connection::close);
        idle.clear();
    }

    @Override
    public void close() {
        closed = true;
        if (sweep != null) {
            sweep.cancel(false);
        }
        stale();
    }
}
