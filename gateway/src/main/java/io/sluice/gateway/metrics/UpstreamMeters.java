package io.sluice.gateway.metrics;

import io.sluice.handlers.upstream.Endpoint;
import io.sluice.handlers.upstream.RetryReason;
import io.sluice.handlers.upstream.UpstreamObserver;
import io.sluice.offload.OffloadException.Refused;
import io.sluice.offload.PoolObserver;
import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Counts the events of an upstream and its queue, for {@link UpstreamCollector} and the admin port.
 */
public final class UpstreamMeters implements PoolObserver, UpstreamObserver {
    private final Map<Refused.Reason, LongAdder> refused = counters(Refused.Reason.values());
    private final Map<RetryReason, LongAdder> retried = counters(RetryReason.values());
    private final DurationHistogram queueTime = new DurationHistogram();
    private final DurationHistogram runTime = new DurationHistogram();
    /** The times of each endpoint, by its id. */
    private final Map<String, EndpointTimes> times = new ConcurrentHashMap<>();

    /**
     * The times of an endpoint.
     *
     * @param connect for opening a connection
     * @param firstByte from the end of a request's head to the beginning of the response
     */
    record EndpointTimes(DurationHistogram connect, DurationHistogram firstByte) {
        EndpointTimes() {
            this(new DurationHistogram(), new DurationHistogram());
        }
    }

    private static <T> Map<T, LongAdder> counters(T[] values) {
        return Arrays.stream(values).collect(Collectors.toMap(Function.identity(), _ -> new LongAdder()));
    }

    @Override
    @SuppressWarnings("NullAway") // there is a counter for each constant
    public void refused(Refused.Reason reason) {
        refused.get(reason).increment();
    }

    @Override
    public void started(long queuedNanos) {
        queueTime.add(queuedNanos);
    }

    @Override
    public void finished(long ranNanos) {
        runTime.add(ranNanos);
    }

    @Override
    @SuppressWarnings("NullAway") // there is a counter for each constant
    public void retried(RetryReason reason) {
        retried.get(reason).increment();
    }

    @Override
    public void connected(Endpoint endpoint, long nanos) {
        times(endpoint.toString()).connect().add(nanos);
    }

    @Override
    public void responded(Endpoint endpoint, long nanos) {
        times(endpoint.toString()).firstByte().add(nanos);
    }

    /** Returns the times of an endpoint. */
    EndpointTimes times(String endpoint) {
        EndpointTimes known = times.get(endpoint);
        return known != null ? known : times.computeIfAbsent(endpoint, _ -> new EndpointTimes());
    }

    /** Forgets the times of all other endpoints. */
    @Override
    public void endpoints(Collection<Endpoint> all) {
        times.keySet().retainAll(all.stream().map(Endpoint::toString).collect(Collectors.toSet()));
    }

    DurationHistogram queueTime() {
        return queueTime;
    }

    /** Returns how long requests held a permit. */
    DurationHistogram runTime() {
        return runTime;
    }

    /** Returns the number of refused requests by reason. */
    public Map<String, Long> refused() {
        return sums(refused);
    }

    /** Returns the number of repeated requests by reason. */
    public Map<String, Long> retried() {
        return sums(retried);
    }

    private static Map<String, Long> sums(Map<?, LongAdder> counters) {
        var sums = new TreeMap<String, Long>();
        counters.forEach((reason, count) ->
                sums.put(reason.toString().toLowerCase(Locale.ROOT), count.sum()));
        return sums;
    }
}
