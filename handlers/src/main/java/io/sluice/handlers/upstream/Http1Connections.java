package io.sluice.handlers.upstream;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.Attribute;
import io.netty.util.AttributeKey;
import io.netty.util.concurrent.Future;
import io.sluice.config.UpstreamConfig;
import io.sluice.handlers.upstream.UpstreamException.Stage;
import io.sluice.handlers.upstream.connect.Connector;
import io.sluice.handlers.upstream.connect.IdleConnections;
import io.sluice.handlers.upstream.connect.IdleConnections.Place;
import io.sluice.handlers.upstream.connect.Opening;
import io.sluice.handlers.upstream.endpoint.ProxyHeaderEncoder;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Connections of HTTP/1.1, each with one request at a time. A client gets the one that its connection has
 * used last if that is idle. Others are reused last in, first out, so that the rest become old and close.
 */
final class Http1Connections implements EndpointConnections {
    /** An attribute of a client's connection: the connection that it has used last, of any endpoint. */
    static final AttributeKey<Place<Http1Connection>> USED_LAST =
            AttributeKey.valueOf(Http1Connections.class, "USED_LAST");

    private final Endpoint endpoint;
    private final EventLoop loop;
    private final Connector connector;
    private final UpstreamConfig config;
    private final IdleConnections<Http1Connection> idle = new IdleConnections<>();
    /** Closes connections that have been idle for too long; null while there are none. */
    private @Nullable Future<?> sweep;
    private boolean closed;
    /** The one that is being opened without a user. */
    private @Nullable NewConnection abandoned;

    /** Creates no connection yet. */
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
        Attribute<Place<Http1Connection>> usedLast = user.connection().attr(USED_LAST);
        for (Place<Http1Connection> kept = idleFor(user, of, usedLast.get()); kept != null;
                kept = idleFor(user, of, null)) {
            kept.use(user.connection());
            if (kept.connection().isOpen()) {
                usedLast.set(kept);
                user.opened(kept.connection());
                return Opening.DONE;
            }
        }
        var request = new NewConnection(user);
        request.opening = connector.connect(of, request);
        return request;
    }

    /**
     * A connection that is being opened. If its user leaves, one at a time goes on being opened, to be closed
     * then: an endpoint that cannot be reached is found out although no client waits for so long.
     */
    private final class NewConnection implements Connector.User, Opening {
        private @Nullable StreamUser user;
        private Opening opening = Opening.DONE;

        NewConnection(StreamUser user) {
            this.user = user;
        }

        @Override
        public void connected(Channel channel, boolean http2) {
            if (user == null) {
                abandoned = null;
                discard(channel);
            } else {
                Http1Connection added = add(channel);
                added.place().use(user.connection());
                user.connection().attr(USED_LAST).set(added.place());
                user.opened(added);
            }
        }

        @Override
        public void failed(@Nullable Throwable cause) {
            endpoint.failed(Stage.CONNECT, null, cause);
            if (user == null) {
                abandoned = null;
            } else {
                user.failed(new UpstreamException(endpoint, Stage.CONNECT, cause));
            }
        }

        @Override
        public void cancel() {
            user = null;
            if (abandoned == null) {
                abandoned = this;
            } else if (abandoned != this) {
                opening.cancel();
            }
        }
    }

    /** Adds the handlers of an open connection. */
    Http1Connection add(Channel channel) {
        var decoder = new Http1ResponseDecoder();
        var connection = new Http1Connection(this, decoder);
        channel.pipeline().addLast(decoder, connection);
        return connection;
    }

    /**
     * Returns an idle connection: the preferred one, or else the one that was used last; null if there is
     * none.
     *
     * @param user the request, which may not have a connection that another client has logged in on
     * @param client whose connection it has to be; null if they belong to no client
     * @param preferred null for none
     */
    private @Nullable Place<Http1Connection> idleFor(StreamUser user, @Nullable InetSocketAddress client,
                                                     @Nullable Place<Http1Connection> preferred) {
        Place<Http1Connection> kept = preferred != null && idle.contains(preferred)
                && isFor(user, client, preferred) ? preferred : idle.youngest();
        while (kept != null && !isFor(user, client, kept)) {
            kept = idle.older(kept);
        }
        return kept;
    }

    private static boolean isFor(StreamUser user, @Nullable InetSocketAddress client,
                                 Place<Http1Connection> kept) {
        return kept.isFor(user.connection()) && (client == null
                || client.equals(ProxyHeaderEncoder.client(kept.connection().channel())));
    }

    /**
     * Closes a connection on which nothing is awaited any more. Without TLS it is reset, as its port would
     * stay in use for a minute (TIME_WAIT): clients that leave could use all of them up.
     */
    static void discard(Channel channel) {
        if (channel.isOpen() && channel.pipeline().get(SslHandler.class) == null) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
        }
        channel.close();
    }

    @Override
    public int idle() {
        return idle.size();
    }

    /** Reserves a connection for a client whose request logs it in: it ends with the client's connection. */
    void sends(UpstreamRequest request, Http1Connection connection) {
        Place<Http1Connection> place = connection.place();
        if (place.isReserved() || !SentRequest.isLogin(request)) {
            return;
        }
        place.reserve();
        if (place.user() instanceof Channel client) { // on the same event loop
            ChannelFutureListener end = _ -> {
                if (idle.contains(place)) { // otherwise it ends with its request
                    place.leaveList();
                    discard(connection.channel());
                }
            };
            client.closeFuture().addListener(end);
            connection.channel().closeFuture().addListener(_ -> client.closeFuture().removeListener(end));
        }
    }

    /** Keeps a connection whose response has ended. */
    void keep(Http1Connection connection) {
        if (closed || config.maxIdle() == 0 || !connection.isOpen() || isUseless(connection.place())) {
            connection.close();
            return;
        }
        Place<Http1Connection> oldest = idle.oldest();
        if (oldest != null && idle.size() == config.maxIdle()) {
            close(oldest); // perhaps that of a client which has gone
        }
        idle.add(connection.place(), loop.ticker().nanoTime());
        if (sweep == null) {
            scheduleSweep(connection.place());
        }
    }

    /** Returns whether no one can use a connection again, as the client with the login on it has gone. */
    private static boolean isUseless(Place<Http1Connection> place) {
        return place.isReserved() && !(place.user() instanceof Channel client && client.isOpen());
    }

    private void scheduleSweep(Place<Http1Connection> oldest) {
        long age = loop.ticker().nanoTime() - oldest.sinceNanos();
        sweep = loop.schedule(this::sweep, Math.max(0, config.keepAlive().toNanos() - age),
                TimeUnit.NANOSECONDS);
    }

    private void sweep() {
        long oldest = loop.ticker().nanoTime() - config.keepAlive().toNanos();
        Place<Http1Connection> kept = idle.oldest();
        for (; kept != null && kept.sinceNanos() - oldest <= 0; kept = idle.oldest()) {
            close(kept);
        }
        sweep = null;
        if (kept != null) {
            scheduleSweep(kept);
        }
    }

    private static void close(Place<Http1Connection> kept) {
        kept.leaveList();
        kept.connection().close();
    }

    /**
     * Closes the idle connections, as one that was used later has been closed by the endpoint: a repeated
     * request gets a new one.
     */
    void stale() {
        for (Place<Http1Connection> kept = idle.oldest(); kept != null; kept = idle.oldest()) {
            close(kept);
        }
    }

    @Override
    public void close() {
        closed = true;
        if (abandoned != null) {
            abandoned.opening.cancel();
        }
        if (sweep != null) {
            sweep.cancel(false);
        }
        stale();
    }
}
