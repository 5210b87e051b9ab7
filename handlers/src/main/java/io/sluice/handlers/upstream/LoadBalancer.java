package io.sluice.handlers.upstream;

import io.netty.util.concurrent.Ticker;
import io.sluice.config.UpstreamConfig.Balance;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints that have an address, and the choice among them. Immutable, except for the state of its
 * endpoints. A choice takes no lock and no memory. Any thread.
 */
final class LoadBalancer {
    static final LoadBalancer EMPTY = new LoadBalancer(List.of(), Balance.LEAST_LOAD);

    /** The factor by which times to first byte differ at least if they matter. */
    private static final double NOTABLE = 1.5;

    private final Endpoint[] endpoints;
    /** The index of each endpoint, as often as its weight says; for the choice at random. */
    private final int[] slots;
    /** The hash of each endpoint; null if endpoints are not chosen by hash. */
    private final long @Nullable [] seeds;

    LoadBalancer(List<Endpoint> of, Balance balance) {
        endpoints = of.toArray(Endpoint[]::new);
        int gcd = Math.max(1, of.stream().mapToInt(Endpoint::weight).reduce(0, LoadBalancer::gcd));
        slots = new int[of.stream().mapToInt(Endpoint::weight).sum() / gcd];
        seeds = balance == Balance.HASH
                ? of.stream().mapToLong(endpoint -> Hash.of(endpoint.toString())).toArray() : null;
        int slot = 0;
        for (int i = 0; i < endpoints.length; i++) {
            int end = slot + endpoints[i].weight() / gcd;
            Arrays.fill(slots, slot, end, i);
            slot = end;
        }
    }

    private static int gcd(int a, int b) {
        return b == 0 ? a : gcd(b, a % b);
    }

    List<Endpoint> endpoints() {
        return Arrays.asList(endpoints);
    }

    /**
     * Returns the endpoint for a request, whose probe is claimed if it is not up. Without another choice this
     * is the one to avoid.
     *
     * @param key a hash of the request; 0 for none
     * @param avoid null for none
     * @param times by which endpoints are compared
     * @return null if no endpoint is up, and those that are down are probed
     */
    @Nullable Endpoint choose(long key, @Nullable Endpoint avoid, RouteTimes times, Ticker clock) {
        Endpoint chosen = endpoints.length < 2 ? null
                : seeds == null || key == 0 ? leastLoaded(avoid, times, clock.nanoTime())
                : highest(key, seeds, avoid, clock);
        return chosen != null ? chosen : anyLeft(avoid, clock);
    }

    /**
     * Takes an endpoint at random by weight, and compares it with another one, which takes the request over
     * if it has less load. Without load, requests are thus spread by weight.
     */
    private @Nullable Endpoint leastLoaded(@Nullable Endpoint avoid, RouteTimes times, long now) {
        var random = ThreadLocalRandom.current();
        int first = slots[random.nextInt(slots.length)];
        int second = random.nextInt(endpoints.length - 1);
        second = second < first ? second : second + 1;
        Endpoint one = endpoints[first];
        Endpoint other = endpoints[second];
        double share = one.share(now);
        if (share < 1 && random.nextDouble() >= share) {
            one = other;
            other = endpoints[first];
        }
        if (one == avoid || !one.isUp() && !one.claimProbe(now)) {
            return other != avoid && other.isUp() ? other : null;
        }
        boolean takenOver = one.isUp() && other != avoid && other.isUp() && other.share(now) >= one.share(now)
                && hasMoreLoad(one, other, times, now);
        return takenOver ? other : one;
    }

    private static boolean hasMoreLoad(Endpoint one, Endpoint other, RouteTimes times, long now) {
        double load = 1 + one.load();
        double otherLoad = 1 + other.load();
        double time = times.nanos(one, now);
        double otherTime = times.nanos(other, now);
        boolean similar = time == 0 || otherTime == 0
                || time < NOTABLE * otherTime && otherTime < NOTABLE * time;
        return similar ? load > otherLoad : load * time > otherLoad * otherTime;
    }

    /**
     * Returns the endpoint with the highest score for a key (weighted rendezvous hashing); while that is
     * down, the highest of those that are up.
     */
    private @Nullable Endpoint highest(long key, long[] hashes, @Nullable Endpoint avoid, Ticker clock) {
        Endpoint top = endpoints[0];
        Endpoint highest = null;
        double topScore = 0;
        double highestScore = 0;
        for (int i = 0; i < hashes.length; i++) {
            Endpoint endpoint = endpoints[i];
            double score = score(Hash.mix(key ^ hashes[i]), endpoint.weight());
            if (score > topScore) {
                top = endpoint;
                topScore = score;
            }
            if (score > highestScore && endpoint != avoid && endpoint.isUp()) {
                highest = endpoint;
                highestScore = score;
            }
        }
        return top != highest && top != avoid && top.claimProbe(clock.nanoTime()) ? top : highest;
    }

    /**
     * Returns a positive score, which is the highest of several ones with a probability by weight. It depends
     * on no other endpoint, and is the same on every gateway.
     */
    private static double score(long hash, int weight) {
        double fraction = (hash >>> 11 | 1) * 0x1p-53; // above 0 and below 1
        return -weight / StrictMath.log(fraction);
    }

    /** Returns an endpoint that is up, else the one to avoid, else one that gets a probe before it is due. */
    private @Nullable Endpoint anyLeft(@Nullable Endpoint avoid, Ticker clock) {
        int from = endpoints.length < 2 ? 0 : ThreadLocalRandom.current().nextInt(endpoints.length);
        for (int i = from; i < from + endpoints.length; i++) {
            Endpoint endpoint = endpoints[i % endpoints.length];
            if (endpoint != avoid && endpoint.isUp()) {
                return endpoint;
            }
        }
        if (avoid != null && avoid.isUp()) {
            return avoid;
        }
        for (int i = from; i < from + endpoints.length; i++) {
            Endpoint endpoint = endpoints[i % endpoints.length];
            if (endpoint != avoid && endpoint.claimEarlyProbe(clock.nanoTime())) {
                return endpoint;
            }
        }
        return null;
    }
}
