package io.sluice.handlers.upstream;

import io.netty.util.concurrent.Ticker;
import io.sluice.config.UpstreamConfig.Balance;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
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
    /** The factor of loads beyond their shares from which an endpoint in its slow start helps another. */
    private static final double FAR_MORE = 2;

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
     * is one of those to avoid.
     *
     * @param key a hash of the request; 0 for none
     * @param responses by which endpoints are compared
     * @return null if no endpoint is up, and those that are down are probed
     */
    @Nullable Endpoint choose(long key, Set<Endpoint> avoid, RouteResponses responses, Ticker clock) {
        long now = clock.nanoTime();
        Endpoint chosen = endpoints.length < 2 ? null
                : seeds == null || key == 0 ? leastLoaded(avoid, responses, now)
                : highest(key, seeds, avoid, now);
        return chosen != null ? chosen : anyLeft(avoid, now);
    }

    /**
     * Takes an endpoint at random by weight, and compares it with another one, which takes the request over
     * if it has less load. Without load, requests are thus spread by weight.
     */
    private @Nullable Endpoint leastLoaded(Set<Endpoint> avoid, RouteResponses responses, long now) {
        var random = ThreadLocalRandom.current();
        int index = slots[random.nextInt(slots.length)];
        Endpoint one = endpoints[index];
        if (avoid.isEmpty() && !one.isUp() && one.claimProbe(now)) {
            return one;
        }
        int another = random.nextInt(endpoints.length - 1);
        Endpoint other = endpoints[another < index ? another : another + 1];
        one = isUp(one, avoid) ? one : anyUp(avoid, other);
        other = isUp(other, avoid) ? other : anyUp(avoid, one);
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        double share = one.share(now);
        boolean startsSlowly = share < 1 && random.nextDouble() >= share;
        Endpoint first = startsSlowly ? other : one;
        Endpoint second = startsSlowly ? one : other;
        double part = second.share(now) / first.share(now);
        return hasMoreLoad(first, second, part < 1 ? part / FAR_MORE : 1, responses, now) ? second : first;
    }

    /** Returns one of those that are up, at random by weight. */
    private @Nullable Endpoint anyUp(Set<Endpoint> avoid, @Nullable Endpoint except) {
        Endpoint chosen = null;
        int weights = 0;
        for (Endpoint endpoint : endpoints) {
            if (endpoint != except && isUp(endpoint, avoid)) {
                weights += endpoint.weight();
                chosen = ThreadLocalRandom.current().nextInt(weights) < endpoint.weight() ? endpoint : chosen;
            }
        }
        return chosen;
    }

    private static boolean isUp(Endpoint endpoint, Set<Endpoint> avoid) {
        return endpoint.isUp() && !avoid.contains(endpoint);
    }

    /**
     * Returns whether an endpoint has more load than another.
     *
     * @param part of the load that the other may have
     */
    private static boolean hasMoreLoad(Endpoint one, Endpoint other, double part, RouteResponses responses,
                                       long now) {
        EndpointResponses ofOne = responses.of(one);
        EndpointResponses ofOther = responses.of(other);
        double load = (1 + one.load()) / ofOne.successShare(now) * part;
        double otherLoad = (1 + other.load()) / ofOther.successShare(now);
        double ratio = ofOne.timeRatio(ofOther, now);
        boolean similar = ratio < NOTABLE && ratio > 1 / NOTABLE;
        return similar ? load > otherLoad : load * ratio > otherLoad;
    }

    /**
     * Returns the endpoint with the highest score for a key (weighted rendezvous hashing); while that is
     * down, the highest of those that are up.
     */
    private @Nullable Endpoint highest(long key, long[] hashes, Set<Endpoint> avoid, long now) {
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
            if (score > highestScore && isUp(endpoint, avoid)) {
                highest = endpoint;
                highestScore = score;
            }
        }
        return top != highest && avoid.isEmpty() && top.claimProbe(now) ? top : highest;
    }

    /**
     * Returns a positive score, which is the highest of several ones with a probability by weight. It depends
     * on no other endpoint, and is the same on every gateway.
     */
    private static double score(long hash, int weight) {
        double fraction = (hash >>> 11 | 1) * 0x1p-53; // above 0 and below 1
        return -weight / StrictMath.log(fraction);
    }

    /** Returns an endpoint that is up, else one to avoid, else one that gets a probe before it is due. */
    private @Nullable Endpoint anyLeft(Set<Endpoint> avoid, long now) {
        int from = endpoints.length < 2 ? 0 : ThreadLocalRandom.current().nextInt(endpoints.length);
        Endpoint left = null;
        for (int i = from; i < from + endpoints.length; i++) {
            Endpoint endpoint = endpoints[i % endpoints.length];
            if (isUp(endpoint, avoid)) {
                return endpoint;
            }
            left = endpoint.isUp() ? endpoint : left;
        }
        for (int i = from; i < from + endpoints.length && left == null; i++) {
            Endpoint endpoint = endpoints[i % endpoints.length];
            left = !avoid.contains(endpoint) && endpoint.claimEarlyProbe(now) ? endpoint : null;
        }
        return left;
    }
}
