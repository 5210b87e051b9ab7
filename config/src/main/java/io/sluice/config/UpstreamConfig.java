package io.sluice.config;

import io.sluice.config.key.Range;
import io.sluice.config.type.EndpointUrl;
import io.sluice.config.type.HashBy;
import io.sluice.config.type.NameServer;
import io.sluice.config.type.Share;
import io.sluice.config.type.WeightedEndpoint;
import io.sluice.config.upstream.HealthConfig;
import io.sluice.config.upstream.UpstreamTlsConfig;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * One upstream: {@code sluice.upstreams.<name>}, a pool whose workers are requests to its endpoints.
 *
 * @param endpoints the servers that can each answer every request; empty if {@code dns} names them
 * @param dns a name whose addresses are each an endpoint; empty if there are {@code endpoints}
 * @param dnsServers the servers to ask for names; empty for those of the operating system
 * @param balance how an endpoint is chosen for a request
 * @param hashBy the part of a request that is hashed for {@link Balance#HASH}
 * @param slowStart the time in which the weight of a new or recovered endpoint grows to its full value
 * @param circuit when an endpoint gets no more requests but a probe
 * @param health active checks; empty for none
 * @param proxyProtocol whether a connection begins with the client's address, in a PROXY protocol 2.0 header
 * @param protocol the protocol of requests to the endpoints
 * @param tls TLS to endpoints whose URL is https
 * @param concurrency the number of concurrent requests over all endpoints
 * @param queueLimit the largest number of requests that wait for one of those
 * @param deadline the longest time until a response begins, waiting included
 * @param clientShare the share of the concurrent requests for one client while requests of others wait
 * @param connectTimeout the time for opening a connection
 * @param keepAlive the time after which an idle connection is closed
 * @param maxIdle the number of idle connections that an event loop keeps for an endpoint
 * @param retries the number of further attempts of a request that fails before its response begins
 * @param retryShare the largest share of the concurrent requests that may be such attempts, but at least 3
 */
public record UpstreamConfig(
        Optional<Set<WeightedEndpoint>> endpoints,
        Optional<EndpointUrl> dns,
        Optional<Set<NameServer>> dnsServers,
        Balance balance,
        HashBy hashBy,
        @Range(max = Range.HOUR) Duration slowStart,
        Circuit circuit,
        Optional<HealthConfig> health,
        boolean proxyProtocol,
        Protocol protocol,
        UpstreamTlsConfig tls,
        @Range(min = 1, max = 100_000) int concurrency,
        @Range(max = 1_000_000) int queueLimit,
        @Range(min = 1, max = Range.DAY) Duration deadline,
        Share clientShare,
        @Range(min = 1, max = Range.HOUR) Duration connectTimeout,
        @Range(min = 1, max = Range.DAY) Duration keepAlive,
        @Range(max = 100_000) int maxIdle,
        @Range(max = 10) int retries,
        Share retryShare) implements QueueConfig {

    /** Returns the number of concurrent requests: each holds a permit. */
    @Override
    public int permits() {
        return concurrency;
    }

    /** Returns whether the URL of an endpoint is https. */
    public boolean isSecure() {
        return Stream.concat(dns.stream(), endpoints.stream().flatMap(Set::stream).map(WeightedEndpoint::url))
                .anyMatch(EndpointUrl::secure);
    }

    /** HTTP/1.1; HTTP/2 without TLS; or by negotiation in the TLS handshake (ALPN), else HTTP/1.1. */
    public enum Protocol { HTTP1, H2C, AUTO }

    /** The choice of an endpoint for a request. */
    public enum Balance {
        /** The better of two by requests in flight and time to first byte. */
        LEAST_LOAD,
        /** The one that a part of the request hashes to. */
        HASH
    }

    /**
     * The conditions under which an endpoint gets no requests except probes: {@code circuit}.
     *
     * @param failures the number of consecutive failures after which the endpoint gets none
     * @param backOff the time until the first probe, which doubles with each failed probe
     * @param maxBackOff the longest time until a probe
     */
    public record Circuit(
            @Range(min = 1, max = 1000) int failures,
            @Range(min = 100, max = Range.HOUR) Duration backOff,
            @Range(min = 100, max = Range.HOUR) Duration maxBackOff) {
    }
}
