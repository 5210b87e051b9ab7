package io.sluice.loadtest.experiments.driver;

import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * The responses of one measured phase. Latencies, in nanoseconds, are those of requests of the phase; rates
 * count the responses that arrived within the phase, even to earlier requests.
 *
 * <p>Written on the event loop of the load; to be read after the phase.
 */
public final class Answers {

    private static final long SHORTEST = 1_000;
    private static final long LONGEST = Duration.ofMinutes(10).toNanos();
    private static final int DIGITS = 3;

    private final Duration duration;
    private final Map<String, Map<AnswerClass, Histogram>> latencies = new HashMap<>();
    private final Map<AnswerClass, Long> arrived = new EnumMap<>(AnswerClass.class);
    private final Histogram lag = histogram();
    /** The bytes in the bodies of {@link AnswerClass#OK}. */
    private long okBytes;
    private long offered;
    private long awaited;
    private long broken;
    private long inFlight;
    private boolean over;

    /** Without responses, for a phase of this length. */
    Answers(Duration duration) {
        this.duration = duration;
    }

    private static Histogram histogram() {
        return new Histogram(SHORTEST, LONGEST, DIGITS);
    }

    /** Notes that a request of this phase was sent. */
    void await() {
        offered++;
        awaited++;
    }

    boolean complete() {
        return awaited == 0;
    }

    /** Records how late the driver was with a request for which a connection was free. */
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

    /** Counts a response within the phase, with a body of so many bytes. */
    void arrived(AnswerClass answer, long bytes) {
        arrived.merge(answer, 1L, Long::sum);
        if (answer == AnswerClass.OK) {
            okBytes += bytes;
        }
    }

    void broken() {
        if (!over) {
            broken++;
        }
    }

    /** Notes that a request of {@link #await} has its response, or will never have one. */
    void settled() {
        if (!over) {
            awaited--;
        }
    }

    /** Ends the phase: later responses are not counted. */
    void end() {
        over = true;
    }

    /** Ends the phase of a closed loop with a number of requests that have no response yet. */
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

    /** The number of responses of a class to requests of the phase. */
    public long count(AnswerClass answer) {
        return latencies.values().stream()
                .map(byClass -> byClass.get(answer))
                .mapToLong(found -> found == null ? 0 : found.getTotalCount())
                .sum();
    }

    /** The responses of a class per second of the phase. */
    public double perSecond(AnswerClass answer) {
        return arrived.getOrDefault(answer, 0L) * 1e9 / duration.toNanos();
    }

    /** The bytes in the bodies of {@link AnswerClass#OK} per second of the phase. */
    public double bytesPerSecond() {
        return okBytes * 1e9 / duration.toNanos();
    }

    /** The requests of an open loop per second of the phase. */
    public double offeredPerSecond() {
        return offered * 1e9 / duration.toNanos();
    }

    /**
     * The number of requests without a response that a gateway may give: broken connections, timeouts,
     * unexpected responses.
     */
    public long errors() {
        return count(AnswerClass.OTHER) + broken + awaited;
    }

    /** The number of requests that did not succeed, including rejected and late ones. */
    public long failures() {
        return errors() + count(AnswerClass.REFUSED) + count(AnswerClass.LATE);
    }

    /** The number of responses of all classes. */
    public long count() {
        return Stream.of(AnswerClass.values()).mapToLong(this::count).sum();
    }

    /** The number of requests whose connection broke, and of connections that could not be opened. */
    long brokenConnections() {
        return broken;
    }

    /** The number of requests of an open loop that had no response by the timeout. */
    public long unanswered() {
        return awaited;
    }

    /**
     * The number of requests of a closed loop without a response at the end, which are in no other figure.
     */
    public long inFlight() {
        return inFlight;
    }

    /**
     * The lateness of requests that the driver could have sent in time, in ns: the delay that its timers
     * add.
     */
    public Histogram lag() {
        return lag;
    }
}
