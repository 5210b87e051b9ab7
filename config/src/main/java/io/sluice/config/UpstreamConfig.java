package io.sluice.config;

import io.sluice.config.type.EndpointUrl;
import io.sluice.config.type.Share;
import java.time.Duration;
import java.util.Set;

/**
 * One upstream: {@code sluice.upstreams.<name>}, a pool whose workers are requests to its endpoints.
 *
 * @param endpoints the servers that can each answer every request
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
        Set<EndpointUrl> endpoints,
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
}
