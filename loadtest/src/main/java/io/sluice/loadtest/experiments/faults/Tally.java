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

/** Requests of one phase and what became of each; to be used by any thread. */
public final class Tally {

    private static final int EXAMPLES = 3;

    /** When one was sent, by {@link System#nanoTime}, and how it ended. */
    private record Sent(long at, Outcome outcome) {}

    private final List<Sent> requests = new ArrayList<>();
    private final Map<Outcome, Set<String>> examples = new EnumMap<>(Outcome.class);
    private long underWay;

    /** A request of this phase is sent. */
    synchronized void begin() {
        underWay++;
    }

    /** The same request is over. */
    synchronized void end(long sent, Verdict verdict) {
        requests.add(new Sent(sent, verdict.outcome()));
        var details = examples.computeIfAbsent(verdict.outcome(), _ -> new LinkedHashSet<>());
        if (verdict.outcome() != Outcome.RIGHT && details.size() < EXAMPLES) {
            details.add("%s: %s".formatted(verdict.outcome(), verdict.detail()));
        }
        underWay--;
        notifyAll();
    }

    /** Blocks until all that have begun are over. */
    public synchronized void await() throws InterruptedException {
        while (underWay > 0) {
            wait();
        }
    }

    /** Those that are over. */
    public synchronized long requests() {
        return requests.size();
    }

    /** Those that ended so. */
    public synchronized long count(Outcome outcome) {
        return requests.stream().filter(request -> request.outcome() == outcome).count();
    }

    /** From a moment on until the last request was sent that was not answered right. */
    synchronized Duration recovery(long from) {
        return Duration.ofNanos(requests.stream()
                .filter(request -> request.outcome() != Outcome.RIGHT)
                .mapToLong(request -> Math.max(0, request.at() - from))
                .max().orElse(0));
    }

    /** Which share of the requests of each of so many parts of a time was not answered right. */
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

    /** The first of each outcome that were not right. */
    synchronized List<String> examples() {
        return examples.values().stream().flatMap(Set::stream).toList();
    }
}
