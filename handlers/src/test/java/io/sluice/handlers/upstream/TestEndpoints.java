package io.sluice.handlers.upstream;

import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import io.sluice.config.UpstreamConfig;
import io.sluice.config.UpstreamConfig.Balance;
import io.sluice.config.type.EndpointUrl;
import io.sluice.config.type.HashBy;
import io.sluice.config.type.Share;
import io.sluice.config.upstream.UpstreamTlsConfig;
import io.sluice.handlers.upstream.UpstreamException.Stage;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Endpoints with a clock that only the test advances. */
final class TestEndpoints {
    static final int MANY = 20_000;

    final MockTicker clock = Ticker.newMockTicker();
    static final InetSocketAddress CLIENT = new InetSocketAddress("127.0.0.1", 0);

    final RouteResponses route = new RouteResponses();
    final List<Endpoint> all = new ArrayList<>();

    static UpstreamConfig config(Balance balance) {
        return new UpstreamConfig(Optional.empty(), Optional.empty(), Optional.empty(), balance,
                HashBy.parse("address"), Duration.ofSeconds(30),
                new UpstreamConfig.Circuit(3, Duration.ofSeconds(10), Duration.ofSeconds(300)),
                Optional.empty(), false, UpstreamConfig.Protocol.HTTP1,
                new UpstreamTlsConfig(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()),
                100, 100, Duration.ofSeconds(10), new Share(50),
                Duration.ofSeconds(1), Duration.ofSeconds(30), 100, 1, new Share(20));
    }

    /** Adds an endpoint for each weight. */
    TestEndpoints add(int... weights) {
        for (int weight : weights) {
            String host = "10.0.0." + (all.size() + 1);
            var url = EndpointUrl.parse("http://" + host + ":8080");
            var endpoint = new Endpoint("test", config(Balance.LEAST_LOAD), url.toString(), url, weight,
                    () -> true, clock);
            endpoint.addresses().set(List.of(new InetSocketAddress(host, 8080)));
            all.add(endpoint);
        }
        return this;
    }

    LoadBalancer balancer(Balance balance) {
        return new LoadBalancer(all, balance);
    }

    Endpoint choose(LoadBalancer balancer, Endpoint avoid) {
        return balancer.choose(0, avoid == null ? Set.of() : Set.of(avoid), route, clock);
    }

    /**
     * Returns the share of many requests that each endpoint gets. Each request ends before the next begins.
     */
    double[] shares(LoadBalancer balancer) {
        var counts = new int[all.size()];
        for (int i = 0; i < MANY; i++) {
            counts[all.indexOf(choose(balancer, null))]++;
        }
        return shares(counts);
    }

    static double[] shares(int[] counts) {
        return Arrays.stream(counts).mapToDouble(count -> (double) count / MANY).toArray();
    }

    Endpoint get(int index) {
        return all.get(index);
    }

    /** Has an endpoint respond once. The response time does not advance the clock. */
    void respond(int index, Duration firstByte) {
        respond(index, firstByte, route);
    }

    void respond(int index, Duration firstByte, RouteResponses of) {
        Endpoint endpoint = get(index);
        EndpointResponses responses = of.of(endpoint);
        endpoint.responded(endpoint.began(responses) - firstByte.toNanos(), false, responses);
        endpoint.ended();
    }

    /** Has an endpoint fail until its circuit opens. */
    void fail(int index) {
        for (int i = 0; i < 3; i++) {
            get(index).failed(Stage.CONNECT, null, null);
        }
    }

    /** Begins a request to an endpoint; returns the time for its end. */
    long begin(int index) {
        return get(index).began(route.of(get(index)));
    }

    /** Ends a request with a response. */
    void end(int index, long began, boolean error) {
        get(index).responded(began, error, route.of(get(index)));
        get(index).ended();
    }

    void pass(Duration time) {
        clock.advance(time.toNanos(), TimeUnit.NANOSECONDS);
    }
}
