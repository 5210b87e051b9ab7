package io.sluice.loadtest.experiments.driver;

import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * What came back in one measured phase. Latencies, in nanoseconds, are those of the phase's own requests;
 * rates are those of the answers that came within it, whenever they had been asked for.
 *
 * <p>Filled on the load's event loop; to be read when the phase is over.
 */
public final class Answers {

    private static final long SHORTEST = 1_000;
    private static final long LONGEST = Duration.ofMinutes(10).toNanos();
    private static final int DIGITS = 3;

    private final Duration duration;
    private final Map<String, Map<AnswerClass, Histogram>> latencies = new HashMap<>();
    private final Map<AnswerClass, Long> arrived = new EnumMap<>(AnswerClass.class);
    private final Histogram lag = histogram();
    private long offered;
    private long awaited;
    private long broken;
    private long inFlight;
    private boolean over;

    /** Nothing yet, for a phase of this length. */
    Answers(Duration duration) {
        this.duration = duration;
    }

    private static Histogram histogram() {
        return new Histogram(SHORTEST, LONGEST, DIGITS);
    }

    /** A request of this phase is on its way. */
    void await() {
        offered++;
        awaited++;
    }

    boolean complete() {
        return awaited == 0;
    }

    /** How late the driver itself was with a request for which a connection was free. */
    void lagged(long nanos) {
        if (!over) {
            lag.recordValue(Math.clamp(nanos, 0, LONGEST));
        }
    }

    void answered(String kind, AnswerClass answer, long nanos) {
        if (!over) {
            latencies.computeIfAbsent(kind, _ -> new EnumMap<>(AnswerClass.class))
                    .computeIfAbsent(answer, _ -> histogram())
                    .recordValue(Math.clamp(nanos, 0, LONGEST));
        }
    }

    /** An answer came within the phase. */
    void arrived(AnswerClass answer) {
        arrived.merge(answer, 1L, Long::sum);
    }

    void broken() {
        if (!over) {
            broken++;
        }
    }

    /** One that {@link #await} announced has its answer, or never will. */
    void settled() {
        if (!over) {
            awaited--;
        }
    }

    /** Whatever comes now comes too late to be counted. */
    void end() {
        over = true;
    }

    /** The same, in a closed loop where the answers to so many requests are still to come. */
    void end(long inFlight) {
        this.inFlight = inFlight;
        end();
    }

    /** Latencies of one kind of request and one class of answer, in ns; a copy. */
    public Histogram latencies(String kind, AnswerClass answer) {
        var all = histogram();
        var found = latencies.getOrDefault(kind, Map.of()).get(answer);
        if (found != null) {
            all.add(found);
        }
        return all;
    }

    /** Latencies of one class of answer to all kinds of requests, in ns; a copy. */
    public Histogram latencies(AnswerClass answer) {
        var all = histogram();
        latencies.keySet().forEach(kind -> all.add(latencies(kind, answer)));
        return all;
    }

    /** How many answers of a class the phase's requests got. */
    public long count(AnswerClass answer) {
        return latencies.values().stream()
                .map(byClass -> byClass.get(answer))
                .mapToLong(found -> found == null ? 0 : found.getTotalCount())
                .sum();
    }

    /** Answers of a class that came in a second of the phase. */
    public double perSecond(AnswerClass answer) {
        return arrived.getOrDefault(answer, 0L) * 1e9 / duration.toNanos();
    }

    /** Requests of an open loop in a second of the phase. */
    public double offeredPerSecond() {
        return offered * 1e9 / duration.toNanos();
    }

    /** Requests that got no answer that a gateway may give: broken connections, silence, odd answers. */
    public long errors() {
        return count(AnswerClass.OTHER) + broken + awaited;
    }

    /** Requests that did not get what they asked for, refused and late ones among them. */
    public long failures() {
        return errors() + count(AnswerClass.REFUSED) + count(AnswerClass.LATE);
    }

    /** All answers, of any class. */
    public long count() {
        return Stream.of(AnswerClass.values()).mapToLong(this::count).sum();
    }

    /** Requests whose connection broke, and connections that could not be made. */
    public long brokenConnections() {
        return broken;
    }

    /** Requests of an open loop that had no answer when patience ended. */
    public long unanswered() {
        return awaited;
    }

    /** Requests of a closed loop that were waiting for their answers in the end: in no other figure. */
    public long inFlight() {
        return inFlight;
    }

    /** How late the driver sent what it could have sent in time, in ns: what its own timers add. */
    public Histogram lag() {
        return lag;
    }
}
