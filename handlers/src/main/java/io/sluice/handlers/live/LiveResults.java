package io.sluice.handlers.live;

import io.netty.util.concurrent.EventExecutor;
import io.sluice.config.topic.LiveConfig;
import io.sluice.config.type.Share;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.topic.Topics;
import io.sluice.offload.ClientNetwork;
import io.sluice.offload.Deadline;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The results of a route's query that streams wait for, each once for all streams whose requests have equal
 * arguments. It survives reloads that keep the route. Thread-safe.
 */
public final class LiveResults {
    /** The share of all results that one client may cause. */
    private static final Share OF_A_CLIENT = new Share(50);

    private final LiveConfig config;
    private final RouteHandler query;
    private final Topics topics;
    private final Optional<Duration> deadline;
    private final ProblemFactory problems;
    private final LiveMemory memory;
    private final Map<Map<String, @Nullable Object>, LiveResult> results = new ConcurrentHashMap<>();
    /** The number of results, also of those that are just added. */
    private final AtomicInteger size = new AtomicInteger();
    /** The number of results by the client that came first. */
    private final Map<ClientNetwork, Integer> byClient = new ConcurrentHashMap<>();
    private final AtomicInteger streams = new AtomicInteger();
    private final Counts counts = new Counts();

    /**
     * A snapshot.
     *
     * @param results the number of different results
     * @param streams the number of streams that wait for them
     * @param runs how often the query was run
     * @param unchanged the number of runs whose result was not sent, as streams had it
     * @param failures the number of runs without a result
     */
    public record Stats(int results, int streams, long runs, long unchanged, long failures) {
    }

    /** Counts runs by their outcome. */
    static final class Counts {
        private final LongAdder runs = new LongAdder();
        private final LongAdder unchanged = new LongAdder();
        private final LongAdder failures = new LongAdder();

        void ran() {
            runs.increment();
        }

        void unchanged() {
            unchanged.increment();
        }

        void failed() {
            failures.increment();
        }
    }

    /**
     * Results of a route.
     *
     * @param query responds with a result
     * @param deadline the time for a run, waiting included
     * @param problems describes the failures of runs
     */
    public LiveResults(LiveConfig config, RouteHandler query, Topics topics, Optional<Duration> deadline,
                       ProblemFactory problems) {
        this(config, query, topics, deadline, problems, LiveMemory.OF_PROCESS);
    }

    LiveResults(LiveConfig config, RouteHandler query, Topics topics, Optional<Duration> deadline,
                ProblemFactory problems, LiveMemory memory) {
        this.memory = memory;
        this.config = config;
        this.query = query;
        this.topics = topics;
        this.deadline = deadline;
        this.problems = problems;
    }

    LiveConfig config() {
        return config;
    }

    RouteHandler query() {
        return query;
    }

    Topics topics() {
        return topics;
    }

    ProblemFactory problems() {
        return problems;
    }

    LiveMemory memory() {
        return memory;
    }

    Counts counts() {
        return counts;
    }

    /** Returns the deadline of a run that begins now. */
    Deadline deadline(EventExecutor loop) {
        return deadline.map(time -> Deadline.after(time, loop.ticker()))
                .orElseGet(() -> Deadline.never(loop.ticker()));
    }

    /**
     * Returns the result of a request, for one more stream, which has to {@linkplain #leave leave} it. On the
     * event loop of the request.
     *
     * @throws HttpException 503 if there are too many other results, or too many that this client has caused,
     *     or their memory is used up
     */
    LiveResult join(Map<String, @Nullable Object> identity, String topic, LiveRequest request) {
        LiveResult joined = results.compute(identity, (_, found) -> {
            LiveResult result = found;
            if (result == null) {
                ClientNetwork client = request.clientNetwork();
                takePlace(client, request.held());
                result = new LiveResult(this, identity, request, topic, client);
            }
            result.users++;
            return result;
        });
        streams.incrementAndGet();
        return joined;
    }

    private void takePlace(ClientNetwork client, int held) {
        if (memory.isFull(client) || !memory.add(client, held)) {
            throw HttpException.tryAgain("the results of live queries take too much memory", null);
        }
        try {
            takeNumber(client);
        } catch (HttpException e) {
            memory.add(client, -held);
            throw e;
        }
    }

    private void takeNumber(ClientNetwork client) {
        if (size.incrementAndGet() > config.maxResults()) {
            size.decrementAndGet();
            throw HttpException.tryAgain("streams wait for too many different results of this route", null);
        }
        byClient.compute(client, (_, held) -> {
            int others = held == null ? 0 : held;
            if (others >= OF_A_CLIENT.of(config.maxResults())) {
                size.decrementAndGet();
                throw HttpException.tryAgain(
                        "streams of one client wait for too many different results of this route", null);
            }
            return others + 1;
        });
    }

    /** Records that a stream has left a result, which ends with the last one. */
    void leave(LiveResult left) {
        streams.decrementAndGet();
        results.computeIfPresent(left.identity(), (_, result) -> {
            if (--result.users > 0) {
                return result;
            }
            size.decrementAndGet();
            byClient.computeIfPresent(result.client(), (_, held) -> held == 1 ? null : held - 1);
            memory.add(result.client(), -result.request().held());
            result.close();
            return null;
        });
    }

    /** Returns a snapshot. Any thread. */
    public Stats stats() {
        return new Stats(size.get(), streams.get(), counts.runs.sum(), counts.unchanged.sum(),
                counts.failures.sum());
    }
}
