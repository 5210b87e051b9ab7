package io.sluice.loadtest.experiments.faults;

import io.sluice.loadtest.experiments.faults.Verdict.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** The requests of one phase and their outcomes. Thread-safe. */
public final class Tally {

    private static final int EXAMPLES = 3;

    /** The time at which a request was sent, by {@link System#nanoTime}, and its outcome. */
    private record Sent(long at, Outcome outcome) {}

    private final List<Sent> requests = new ArrayList<>();
    private final Map<Outcome, Set<String>> examples = new EnumMap<>(Outcome.class);
    private long underWay;

    /** Notes that a request of this phase was sent. */
    synchronized void begin() {
        underWay++;
    }

    /** Records the outcome of a request. */
    synchronized void end(long sent, Verdict verdict) {
        requests.add(new Sent(sent, verdict.outcome()));
        var details = examples.computeIfAbsent(verdict.outcome(), _ -> new LinkedHashSet<>());
        if (verdict.outcome() != Outcome.RIGHT && details.size() < EXAMPLES) {
            details.add("%s: %s".formatted(verdict.outcome(), verdict.detail()));
        }
        underWay--;
        notifyAll();
    }

    /** Blocks until all requests of this phase are complete. */
    public synchronized void await() throws InterruptedException {
        while (underWay > 0) {
            wait();
        }
    }

    /** The number of complete requests. */
    public synchronized long requests() {
        return requests.size();
    }

    /** The number of requests with an outcome. */
    public synchronized long count(Outcome outcome) {
        return requests.stream().filter(request -> request.outcome() == outcome).count();
    }

    /** The time from a moment until the last request was sent that did not get the right response. */
    synchronized Duration recovery(long from) {
        return Duration.ofNanos(requests.stream()
                .filter(request -> request.outcome() != Outcome.RIGHT)
                .mapToLong(request -> Math.max(0, request.at() - from))
                .max().orElse(0));
    }

    /**
     * Divides a time into parts, and returns for each part the share of requests that did not get the right
     * response.
     */
    synchronized double[] notRight(long from, Duration time, int parts) {
        var all = new double[parts];
        var notRight = new double[parts];
        for (var request : requests) {
            int part = (int) ((request.at() - from) * parts / time.toNanos());
            if (part >= 0 && part < parts) {
                all[part]++;
                notRight[part] += request.outcome() == Outcome.RIGHT ? 0 : 1;
            }
        }
        return IntStream.range(0, parts).mapToDouble(part -> notRight[part] / all[part]).toArray();
    }

    /** The first request of each outcome other than right. */
    synchronized List<String> examples() {
        return examples.values().stream().flatMap(Set::stream).toList();
    }
}
