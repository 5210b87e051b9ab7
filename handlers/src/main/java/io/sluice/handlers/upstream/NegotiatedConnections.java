package io.sluice.handlers.upstream;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.sluice.config.UpstreamConfig;
import io.sluice.handlers.upstream.UpstreamException.Stage;
import io.sluice.handlers.upstream.connect.Connector;
import io.sluice.handlers.upstream.connect.Opening;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Connections whose protocol is negotiated in the TLS handshake (RFC 7301). Requests wait for the result of
 * the first one; further connections are expected to have the same. Requests to switch protocols have
 * connections of their own, which offer HTTP/1.1 only.
 */
final class NegotiatedConnections implements EndpointConnections {
    private final Endpoint endpoint;
    private final Connector connector;
    private final Http1Connections http1;
    private final Http2Connections http2;
    private final Http1Connections switching;
    private final Set<Waiting> waiting = new LinkedHashSet<>();
    /** Null while the protocol is not known. */
    private @Nullable EndpointConnections agreed;
    private boolean connecting;

    /**
     * Creates no connection yet.
     *
     * @param ofHttp1 opens connections that offer no other protocol
     */
    NegotiatedConnections(Endpoint endpoint, EventLoop loop, Connector connector, Connector ofHttp1,
                          UpstreamConfig config) {
        this.endpoint = endpoint;
        this.connector = connector;
        http1 = new Http1Connections(endpoint, loop,
                (client, user) -> connector.connect(client, expecting(false, user)), config);
        http2 = new Http2Connections(endpoint, loop,
                (client, user) -> connector.connect(client, expecting(true, user)), config);
        switching = new Http1Connections(endpoint, loop, ofHttp1, config);
    }

    @Override
    public Opening open(StreamUser user) {
        if (user.switchesProtocol()) {
            return switching.open(user);
        }
        if (agreed != null) {
            return agreed.open(user);
        }
        var request = new Waiting(user);
        waiting.add(request);
        if (!connecting) {
            connecting = true;
            try {
                connector.connect(null, new First());
            } catch (Throwable e) { // later requests must not wait for this attempt
                connecting = false;
                request.cancel();
                throw e;
            }
        }
        return request;
    }

    /** A request that waits for the first handshake. */
    private final class Waiting implements Opening {
        private final StreamUser user;
        private Opening opening = DONE;

        Waiting(StreamUser user) {
            this.user = user;
        }

        @Override
        public void cancel() {
            waiting.remove(this);
            opening.cancel();
        }
    }

    /** Receives the connection whose handshake decides. */
    private final class First implements Connector.User {

        @Override
        public void connected(Channel channel, boolean isHttp2) {
            EndpointConnections all = isHttp2 ? http2 : http1;
            agreed = all;
            if (isHttp2) {
                http2.add(channel);
            } else {
                http1.keep(http1.add(channel));
            }
            forAll(request -> request.opening = all.open(request.user));
        }

        @Override
        public void failed(@Nullable Throwable cause) {
            endpoint.failed(Stage.CONNECT, null, cause);
            forAll(request -> request.user.failed(new UpstreamException(endpoint, Stage.CONNECT, cause)));
        }

        private void forAll(Consumer<Waiting> action) {
            connecting = false;
            List<Waiting> all = List.copyOf(waiting);
            for (Waiting request : all) {
                if (waiting.remove(request)) { // otherwise cancelled by the action for another one
                    action.accept(request);
                }
            }
        }
    }

    /** Returns a user whose connections all have one protocol. The next request asks again after another. */
    private Connector.User expecting(boolean expected, Connector.User user) {
        return new Connector.User() {
            @Override
            public void connected(Channel channel, boolean isHttp2) {
                if (isHttp2 == expected) {
                    user.connected(channel, isHttp2);
                } else {
                    agreed = null;
                    channel.close();
                    user.failed(new IOException("another protocol than before"));
                }
            }

            @Override
            public void failed(@Nullable Throwable cause) {
                user.failed(cause);
            }
        };
    }

    @Override
    public int idle() {
        return http1.idle() + http2.idle() + switching.idle();
    }

    @Override
    public void close() {
        http1.close();
        http2.close();
        switching.close();
    }
}
