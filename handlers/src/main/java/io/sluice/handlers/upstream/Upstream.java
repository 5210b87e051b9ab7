package io.sluice.handlers.upstream;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.sluice.config.UpstreamConfig;
import io.sluice.offload.Permits;
import io.sluice.offload.RareWarning;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLongArray;
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
    private final List<Endpoint> endpoints;
    private final Bootstrap client;
    private final Map<EventLoop, LoopConnections> loops = new ConcurrentHashMap<>();
    private final RetryBudget retries;
    private final RareWarning warning = new RareWarning();
    /** By the ordinal of the stage. */
    private final AtomicLongArray cancelled = new AtomicLongArray(RequestStage.values().length);

    /**
     * Creates an upstream, which opens no connection before the first request.
     *
     * @param client opens connections; has the class of their channels
     */
    public Upstream(String name, UpstreamConfig config, Permits permits, Bootstrap client) {
        this.name = name;
        this.config = config;
        this.permits = permits;
        this.client = client.clone()
                .option(ChannelOption.AUTO_CLOSE, false)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) config.connectTimeout().toMillis());
        endpoints = config.endpoints().stream().map(Endpoint::new).toList();
        retries = new RetryBudget(config.retryShare(),
                () -> endpoints.stream().mapToInt(Endpoint::inFlight).sum());
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

    public List<Endpoint> endpoints() {
        return endpoints;
    }

    /** Returns the limit of concurrent retries. */
    public RetryBudget retries() {
        return retries;
    }

    /** Logs why a request has failed, at most every 10 s. */
    public void report(UpstreamException failure) {
        if (warning.isDue()) {
            log.warn("upstream {}: {}{}", name, failure.getMessage(),
                    failure.getCause() == null ? "" : ": " + failure.getCause());
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

    /** Refuses new requests and closes idle connections, others when their responses have ended. */
    @Override
    public void close() {
        permits.close();
        loops.forEach((loop, connections) -> loop.execute(connections::close));
    }
}
