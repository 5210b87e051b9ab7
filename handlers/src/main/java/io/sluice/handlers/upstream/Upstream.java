package io.sluice.handlers.upstream;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.sluice.config.UpstreamConfig;
import io.sluice.offload.Permits;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A pool whose workers are remote: permits for concurrent requests, and the endpoints that serve them. Any
 * thread.
 */
public final class Upstream implements AutoCloseable {
    private final String name;
    private final UpstreamConfig config;
    private final Permits permits;
    private final UpstreamObserver observer;
    private final List<Endpoint> endpoints;
    private final Bootstrap client;
    private final Map<EventLoop, LoopConnections> loops = new ConcurrentHashMap<>();

    /**
     * Creates an upstream, which opens no connection before the first request.
     *
     * @param client opens connections; has the class of their channels
     */
    public Upstream(String name, UpstreamConfig config, Permits permits, UpstreamObserver observer,
                    Bootstrap client) {
        this.name = name;
        this.config = config;
        this.permits = permits;
        this.observer = observer;
        this.client = client.clone()
                .option(ChannelOption.AUTO_CLOSE, false)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) config.connectTimeout().toMillis());
        endpoints = config.endpoints().stream().map(Endpoint::new).toList();
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

    /**
     * Chooses an endpoint and provides a stream to it.
     *
     * @param loop the event loop of the caller, to which the stream belongs
     * @param failed an endpoint to avoid; null for none
     */
    public Opening open(EventLoop loop, Endpoint failed, StreamUser user) {
        return loops.computeIfAbsent(loop, LoopConnections::new).to(choose(failed)).open(user);
    }

    /** Returns the one with fewer requests of two random endpoints. */
    private Endpoint choose(Endpoint failed) {
        List<Endpoint> choice = failed == null || endpoints.size() == 1 ? endpoints
                : endpoints.stream().filter(endpoint -> endpoint != failed).toList();
        if (choice.size() == 1) {
            return choice.getFirst();
        }
        var random = ThreadLocalRandom.current();
        int first = random.nextInt(choice.size());
        int second = (first + 1 + random.nextInt(choice.size() - 1)) % choice.size();
        Endpoint one = choice.get(first);
        Endpoint other = choice.get(second);
        return one.inFlight() <= other.inFlight() ? one : other;
    }

    /** The connections of one event loop. */
    private final class LoopConnections {
        private final EventLoop loop;
        private final Map<Endpoint, EndpointConnections> all = new ConcurrentHashMap<>();

        LoopConnections(EventLoop loop) {
            this.loop = loop;
        }

        EndpointConnections to(Endpoint endpoint) {
            return all.computeIfAbsent(endpoint,
                    key -> new Http1Connections(key, loop, client, config));
        }

        void close() {
            all.values().forEach(EndpointConnections::close);
        }
    }

    /** Refuses new requests and closes idle connections; others close when their responses have ended. */
    @Override
    public void close() {
        permits.close();
        loops.forEach((loop, connections) -> loop.execute(connections::close));
    }
}
