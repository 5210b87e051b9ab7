package io.sluice.handlers.upstream;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.sluice.config.UpstreamConfig;
import io.sluice.handlers.upstream.UpstreamException.Stage;
import io.sluice.handlers.upstream.connect.Connector;
import io.sluice.handlers.upstream.connect.Opening;
import io.sluice.handlers.upstream.http2.ClientCodec;
import io.sluice.handlers.upstream.http2.ClientConnection;
import io.sluice.handlers.upstream.http2.ConnectionEvents;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Connections of HTTP/2, each with as many requests at a time as the endpoint allows. A request beyond that
 * waits for a stream that ends, or for another connection. Connections are opened one after the other, and
 * the oldest with room is used, so that the others become idle and are closed.
 */
final class Http2Connections implements EndpointConnections, ConnectionEvents {
    private final Endpoint endpoint;
    private final EventLoop loop;
    private final Connector connector;
    private final UpstreamConfig config;
    private final List<ClientConnection> open = new CopyOnWriteArrayList<>();
    private final SequencedSet<Waiting> waiting = new LinkedHashSet<>();
    /** Indicates that a connection is being opened. */
    private boolean connecting;
    /** The cause of the last connection that was not opened. */
    private @Nullable Throwable notOpened;
    /** Fails requests that wait for a stream for too long after that; null while there are none. */
    private @Nullable Future<?> expiry;
    /** Closes connections that have been idle for too long; null while there are none. */
    private @Nullable Future<?> sweep;
    private boolean closed;

    Http2Connections(Endpoint endpoint, EventLoop loop, Connector connector, UpstreamConfig config) {
        this.endpoint = endpoint;
        this.loop = loop;
        this.connector = connector;
        this.config = config;
    }

    private long nanoTime() {
        return loop.ticker().nanoTime();
    }

    @Override
    public Opening open(StreamUser user) {
        ClientConnection connection = withRoom();
        if (connection != null && waiting.isEmpty()) {
            user.opened(new Http2UpstreamStream(endpoint, connection));
            return Opening.DONE;
        }
        var request = new Waiting(user);
        waiting.add(request);
        try {
            connect();
        } catch (Throwable e) { // or it would be sent, though its client has had an error
            request.cancel();
            throw e;
        }
        return request;
    }

    /** A request that waits for a stream. */
    private final class Waiting implements Opening {
        private final StreamUser user;
        /** Indicates that a connection was not opened meanwhile; then the request has a time limit. */
        private boolean expires;
        private long expiryNanos;

        Waiting(StreamUser user) {
            this.user = user;
        }

        void fail() {
            if (waiting.remove(this)) {
                user.failed(new UpstreamException(endpoint, Stage.CONNECT, notOpened));
            }
        }

        @Override
        public void cancel() {
            waiting.remove(this);
        }
    }

    private @Nullable ClientConnection withRoom() {
        for (int i = 0; i < open.size(); i++) {
            if (open.get(i).hasRoom()) {
                return open.get(i);
            }
        }
        return null;
    }

    private void connectForWaiting() {
        if (!waiting.isEmpty()) {
            connect();
        }
    }

    private void connect() {
        if (connecting) {
            return;
        }
        connecting = true;
        try {
            connector.connect(null, new Connector.User() {
                @Override
                public void connected(Channel channel, boolean http2) {
                    add(channel);
                }

                @Override
                public void failed(@Nullable Throwable cause) {
                    connecting = false;
                    notConnected(cause);
                }
            });
        } catch (Throwable e) { // short of memory: later requests must not wait for this attempt
            connecting = false;
            throw e;
        }
    }

    /** Adds the handler of an open connection, which is used when the endpoint has accepted it. */
    void add(Channel channel) {
        connecting = true;
        var connection = ClientCodec.of(this, config.connectTimeout());
        open.add(connection);
        SocketAddress address = channel.remoteAddress();
        channel.closeFuture().addListener(_ -> {
            if (!connection.isReady()) {
                endpoint.addresses().unreachable(address);
            }
        });
        channel.pipeline().addLast(connection);
        loop.schedule(() -> {
            if (!connection.isReady()) {
                channel.close();
            }
        }, config.connectTimeout().toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void accepted(ClientConnection connection) {
        connecting = false;
        if (connection.hasRoom()) {
            scheduleSweep();
            changed(connection);
        } else {
            open.remove(connection);
            endpoint.addresses().unreachable(connection.address());
            connection.retire();
            notConnected(new IOException("no streams are allowed"));
        }
    }

    @Override
    public void changed(ClientConnection connection) {
        serve();
        if (closed) {
            connection.retire();
        }
        connectForWaiting();
    }

    private void serve() {
        while (!waiting.isEmpty()) {
            ClientConnection connection = withRoom();
            if (connection == null) {
                return;
            }
            Waiting first = waiting.iterator().next();
            waiting.remove(first);
            first.user.opened(new Http2UpstreamStream(endpoint, connection));
        }
    }

    @Override
    public void closed(ClientConnection connection) {
        boolean served = open.remove(connection);
        if (!connection.isReady()) {
            connecting = false;
            notConnected(connection.cause() == null ? new IOException("no HTTP/2") : connection.cause());
        } else if (served) {
            connectForWaiting();
        }
    }

    /** Fails the waiting requests, at once unless streams may end in time to serve them. */
    private void notConnected(@Nullable Throwable cause) {
        endpoint.failed(Stage.CONNECT, null, cause);
        notOpened = cause;
        if (open.stream().noneMatch(connection -> connection.isServing() && !connection.isIdle())) {
            List.copyOf(waiting).forEach(Waiting::fail);
            return;
        }
        long limit = nanoTime() + config.connectTimeout().toNanos();
        for (Waiting request : waiting.reversed()) {
            if (request.expires) {
                break; // those before it expire, too
            }
            request.expires = true;
            request.expiryNanos = limit;
        }
        if (expiry == null) {
            expire();
        }
    }

    /** Fails the requests whose time has passed, and schedules the next check. */
    private void expire() {
        expiry = null;
        while (expiry == null && !waiting.isEmpty() && waiting.getFirst().expires) {
            long left = waiting.getFirst().expiryNanos - nanoTime();
            if (left > 0) {
                expiry = loop.schedule(this::expire, left, TimeUnit.NANOSECONDS);
            } else {
                waiting.getFirst().fail();
            }
        }
    }

    @Override
    public int idle() {
        return (int) open.stream().filter(ClientConnection::isIdle).count();
    }

    /** Returns whether a connection is idle, and not being closed. */
    private static boolean isUnused(ClientConnection connection) {
        return connection.isReady() && connection.isServing() && connection.isIdle();
    }

    private void scheduleSweep() {
        if (sweep == null && !open.isEmpty() && !closed) {
            long now = nanoTime();
            long oldest = now;
            for (ClientConnection connection : open) {
                if (isUnused(connection)) {
                    oldest = Math.min(oldest, connection.idleSinceNanos());
                }
            }
            sweep = loop.schedule(this::sweep, Math.max(0, config.keepAlive().toNanos() - (now - oldest)),
                    TimeUnit.NANOSECONDS);
        }
    }

    private void sweep() {
        long oldest = nanoTime() - config.keepAlive().toNanos();
        for (ClientConnection connection : open) {
            if (isUnused(connection) && connection.idleSinceNanos() - oldest <= 0) {
                connection.retire();
            }
        }
        sweep = null;
        scheduleSweep();
    }

    @Override
    public void close() {
        closed = true;
        if (sweep != null) {
            sweep.cancel(false);
        }
        // The others serve the requests that wait for them, and are retired then.
        open.stream().filter(ClientConnection::isReady).forEach(ClientConnection::retire);
        connectForWaiting();
    }
}
