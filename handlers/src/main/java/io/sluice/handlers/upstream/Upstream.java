package io.sluice.handlers.upstream;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.sluice.config.UpstreamConfig;
import io.sluice.handlers.upstream.connect.Opening;
import io.sluice.handlers.upstream.connect.TcpConnector;
import io.sluice.handlers.upstream.connect.UpstreamTls;
import io.sluice.offload.Permits;
import io.sluice.offload.RareWarning;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pool whose workers are remote: permits for concurrent requests, and the endpoints that serve them. Any
 * thread.
 */
public final class Upstream implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Upstream.class);

    private final String name;
    private final UpstreamConfig config;
    private final Permits permits;
    private final UpstreamObserver observer;
    private final UpstreamNetwork network;
    private final Bootstrap client;
    private final UpstreamTls tls;
    private final Endpoints endpoints;
    private final Map<EventLoop, LoopConnections> loops = new ConcurrentHashMap<>();
    private final RetryBudget retries;
    private final RareWarning warning = new RareWarning();
    /** The number of cancelled requests at each stage, by the stage's ordinal. */
    private final AtomicLongArray cancelled = new AtomicLongArray(RequestStage.values().length);

    /**
     * Creates an upstream, which opens no connection before the first request but those of its checks, and
     * looks its names up.
     *
     * @param tls secures connections to https endpoints
     * @param former the upstream that this one replaces, whose addresses stay in use until the first
     *     successful look-up; null for none
     */
    public Upstream(String name, UpstreamConfig config, Permits permits, UpstreamObserver observer,
                    UpstreamNetwork network, UpstreamTls tls, @Nullable Upstream former) {
        this.name = name;
        this.config = config;
        this.permits = permits;
        this.observer = observer;
        this.network = network;
        this.tls = tls;
        client = network.client().clone()
                .disableResolver()
                .option(ChannelOption.AUTO_CLOSE, false)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) config.connectTimeout().toMillis());
        endpoints = new Endpoints(name, config, permits, network, tls, observer, this::disconnect);
        endpoints.start(former == null ? null : former.endpoints);
        retries = new RetryBudget(config.retryShare(),
                () -> endpoints.all().stream().mapToInt(Endpoint::inFlight).sum());
        tls.onChange(this::disconnectSecure);
    }

    public String name() {
        return name;
    }

    public UpstreamConfig config() {
        return config;
    }

    /** Returns the queue of requests. */
    public Permits permits() {
        return permits;
    }

    /** Returns the observer of requests. */
    public UpstreamObserver observer() {
        return observer;
    }

    /** Returns the limit of concurrent retries. */
    public RetryBudget retries() {
        return retries;
    }

    /** Logs why a request has failed, at most every 10 s. */
    public void report(UpstreamException failure) {
        if (warning.tryTake()) {
            log.warn("upstream {}: {}{}", name, failure.getMessage(),
                    failure.getCause() == null ? "" : ": " + UpstreamException.reason(failure.getCause()));
        }
    }

    /** Counts a request that was given up in a stage, by its client or its deadline. */
    public void cancelled(RequestStage stage) {
        cancelled.incrementAndGet(stage.ordinal());
    }

    /** Returns how many requests were given up in a stage. */
    public long cancelledWhile(RequestStage stage) {
        return cancelled.get(stage.ordinal());
    }

    /** Waits until the names of endpoints have been looked up. Blocks; not on an event loop. */
    public void awaitNames(long timeout, TimeUnit unit) throws InterruptedException {
        endpoints.awaitNames(timeout, unit);
    }

    /**
     * Chooses an endpoint for a request. One that is down gets the request as a probe: its result has to be
     * known, or it has to be cancelled, before the next one.
     *
     * @param key a hash of the request for {@code balance = hash}; 0 for none
     * @param avoid endpoints that have failed: one of them is chosen only if no other is up
     * @param responses to the requests of its route
     * @return null if none is up
     */
    public @Nullable Endpoint choose(long key, Set<Endpoint> avoid, RouteResponses responses) {
        return endpoints.balancer().choose(key, avoid, responses, network.clock());
    }

    /** Returns the limit of connections that have switched protocols. */
    public UpstreamNetwork.TunnelLimit tunnels() {
        return network.tunnels();
    }

    /** Returns whether an endpoint is up that is none of these. */
    public boolean hasAnotherUp(Set<Endpoint> endpointsToAvoid) {
        return endpoints.balancer().endpoints().stream()
                .anyMatch(endpoint -> endpoint.isUp() && !endpointsToAvoid.contains(endpoint));
    }

    /**
     * Provides a stream to an endpoint.
     *
     * @param loop the event loop of the caller, to which the stream belongs
     */
    public Opening open(EventLoop loop, Endpoint endpoint, StreamUser user) {
        LoopConnections connections = loops.get(loop);
        if (connections == null) {
            connections = loops.computeIfAbsent(loop, LoopConnections::new);
        }
        return connections.to(endpoint).open(user);
    }

    /** Returns a snapshot of the endpoints. */
    public List<EndpointStats> endpoints() {
        return endpoints.all().stream().map(endpoint -> endpoint.stats(
                loops.values().stream().mapToInt(loop -> loop.idle(endpoint)).sum())).toList();
    }

    /** Closes the connections to an endpoint, those with a request when its response has ended. */
    private void disconnect(Endpoint endpoint) {
        loops.forEach((loop, connections) -> loop.execute(() -> connections.remove(endpoint)));
    }

    /** Closes the connections of a former identity, or to endpoints that may not be trusted any more. */
    private void disconnectSecure() {
        endpoints.all().stream().filter(endpoint -> endpoint.url().secure()).forEach(this::disconnect);
    }

    /** The connections of one event loop. */
    private final class LoopConnections {
        private final EventLoop loop;
        /** Changed on the loop only. */
        private final Map<Endpoint, EndpointConnections> all = new ConcurrentHashMap<>();

        LoopConnections(EventLoop loop) {
            this.loop = loop;
        }

        EndpointConnections to(Endpoint endpoint) {
            EndpointConnections known = all.get(endpoint);
            return known != null ? known : all.computeIfAbsent(endpoint, this::connections);
        }

        private EndpointConnections connections(Endpoint endpoint) {
            TcpConnector connector = connector(endpoint);
            return switch (config.protocol()) {
                case HTTP1 -> new Http1Connections(endpoint, loop, connector, config);
                case H2C -> new Http2Connections(endpoint, loop, connector, config);
                case AUTO -> endpoint.url().secure()
                        ? new NegotiatedConnections(endpoint, loop, connector, connector.ofHttp1(),
                                config)
                        : new Http1Connections(endpoint, loop, connector, config);
            };
        }

        private TcpConnector connector(Endpoint endpoint) {
            var target = new TcpConnector.Target(endpoint.url(), endpoint.addresses(),
                    endpoint.connections()::add, tls, config.proxyProtocol());
            return new TcpConnector(target, loop, client, config.connectTimeout());
        }

        int idle(Endpoint endpoint) {
            EndpointConnections known = all.get(endpoint);
            return known == null ? 0 : known.idle();
        }

        void remove(Endpoint endpoint) {
            EndpointConnections known = all.remove(endpoint);
            if (known != null) {
                known.close();
            }
        }

        void close() {
            all.values().forEach(EndpointConnections::close);
        }
    }

    /**
     * Refuses new requests, ends checks and look-ups, and closes idle connections; other connections are
     * closed when their responses or tunnels have ended.
     */
    @Override
    public void close() {
        permits.close();
        endpoints.close();
        loops.forEach((loop, connections) -> loop.execute(connections::close));
    }
}
