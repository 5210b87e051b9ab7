package io.sluice.handlers.live;

import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.rights.Caller;
import io.sluice.handlers.topic.Subscriber;
import io.sluice.handlers.topic.TopicMessage;
import io.sluice.offload.ClientNetwork;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A result that streams wait for. It subscribes to the topic, and runs the query when that has a message: one
 * run at a time, with a pause behind each. Messages during a run or a pause cause one run at the pause's end.
 * So does a failure, with a longer pause.
 *
 * <p>Confined to the event loop of the first stream, unless a method says otherwise.
 */
final class LiveResult extends Subscriber implements LiveRun.Outcome {
    private static final Logger log = LoggerFactory.getLogger(LiveResult.class);
    /** The longest pause after a failure, unless the interval is longer. */
    private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final LiveResults all;
    private final Map<String, @Nullable Object> identity;
    private final LiveRequest request;
    private final String topic;
    private final ClientNetwork client;
    private final EventExecutor home;
    /** Any thread. */
    private final Map<EventExecutor, LoopStreams> byLoop = new ConcurrentHashMap<>(2);
    private final List<LoopStreams> followers = new ArrayList<>(2);
    private LiveState state = LiveState.none();
    /** The bytes of the state's result, which are counted. */
    private long bytes;
    /** Null between runs. */
    private @Nullable LiveRun run;
    /** Null unless this pauses. */
    private @Nullable Future<?> pause;
    /** Indicates whether the topic has had a message since the last run began, or that has failed. */
    private boolean stale;
    /** The number of failures in a row. */
    private int failures;
    private boolean begun;
    private boolean closed;
    /** The number of streams; guarded by the lock of the entry in {@link LiveResults}. */
    int users;

    /**
     * A result without streams.
     *
     * @param request the request of the first stream
     * @param client of that request
     */
    LiveResult(LiveResults all, Map<String, @Nullable Object> identity, LiveRequest request, String topic,
               ClientNetwork client) {
        this.all = all;
        this.identity = identity;
        this.request = request;
        this.topic = topic;
        this.client = client;
        home = request.eventLoop();
    }

    Map<String, @Nullable Object> identity() {
        return identity;
    }

    LiveRequest request() {
        return request;
    }

    /** Returns the client that has caused it. Any thread. */
    ClientNetwork client() {
        return client;
    }

    /**
     * Subscribes to the topic, unless this has begun. The notice that it is subscribed, like a message,
     * causes the first run. Any thread.
     */
    void begin() {
        home.execute(() -> {
            if (!begun && !closed) {
                begun = true;
                all.topics().subscribe(topic, home, this, "");
            }
        });
    }

    /** Returns the streams of an event loop. Any thread. */
    LoopStreams streams(EventExecutor loop) {
        return byLoop.computeIfAbsent(loop, _ -> {
            var added = new LoopStreams(loop);
            home.execute(() -> {
                followers.add(added);
                show(added);
            });
            return added;
        });
    }

    /** Records that a stream has ended. Any thread. */
    void leave() {
        all.leave(this);
    }

    @Override
    protected void deliver(TopicMessage message) {
        stale = true;
        runIfStale();
    }

    @Override
    protected boolean isWritable() {
        return true;
    }

    @Override
    protected void fail(Throwable cause) {
        log.error("topic {}: a message has not caused a run of its live query", topic, cause);
    }

    /** Returns null: the result is read by the rights of its route, and its clients are not subscribed. */
    @Override
    protected @Nullable Caller caller() {
        return null;
    }

    @Override
    protected void forbidden() {
        throw new IllegalStateException(topic + ": no right (expected: all, as a part of the gateway)");
    }

    private void runIfStale() {
        if (stale && run == null && pause == null && !closed) {
            stale = false;
            all.counts().ran();
            try {
                run = new LiveRun(request, all.deadline(home), all.config().maxSize().intBytes(), this);
            } catch (Throwable e) { // no memory for its event
                failed(e);
                return;
            }
            run.begin(all.query());
        }
    }

    /** The next run is scheduled first, as in {@link #failed}. */
    @Override
    public void succeeded(ResultEvent.Whole result) {
        if (!count(result.event().capacity())) {
            result.event().release();
            failed(HttpException.tryAgain("the results of live queries take too much memory", null));
            return;
        }
        failures = 0;
        pause(interval());
        if (result.tag().equals(state.tag()) && state.problemStatus() == 0) {
            all.counts().unchanged();
            result.event().release();
        } else {
            publish(state.with(result));
        }
    }

    /** The next run is scheduled first, whatever becomes of the rest. */
    @Override
    public void failed(Throwable cause) {
        all.counts().failed();
        boolean changed = stale;
        stale = true;
        failures++;
        pause(backOff());
        FullHttpResponse problem = all.problems().of(cause, request.requestId(), request.alloc());
        try {
            int status = problem.status().code();
            boolean passing = problem.status().codeClass() == HttpStatusClass.SERVER_ERROR;
            if (!passing) {
                stale = changed;
                failures = 0;
            }
            if (status != state.problemStatus()) {
                publish(state.with(status, problem.content(), passing));
                if (!passing) {
                    count(0);
                }
            }
        } finally {
            problem.release();
        }
    }

    /** Counts another number of bytes for the result; returns false if those are too many. */
    private boolean count(long next) {
        boolean counted = all.memory().add(client, next - bytes);
        bytes = counted ? next : bytes;
        return counted;
    }

    private long interval() {
        return all.config().interval().toNanos();
    }

    /** Doubles the interval with each failure after the first, and adds up to a quarter at random. */
    private long backOff() {
        long longest = Math.max(MAX_NANOS, interval());
        long nanos = Math.min(longest, interval() << Math.min(failures - 1, 12));
        return nanos + ThreadLocalRandom.current().nextLong(nanos / 4);
    }

    private void pause(long nanos) {
        run = null;
        pause = home.schedule(() -> {
            pause = null;
            runIfStale();
        }, nanos, TimeUnit.NANOSECONDS);
    }

    private void publish(LiveState next) {
        LiveState before = state;
        state = next;
        before.release();
        followers.forEach(this::show);
    }

    /** Hands the state to an event loop. */
    private void show(LoopStreams follower) {
        LiveState shown = state.retain();
        try {
            follower.loop().execute(() -> follower.show(shown));
        } catch (RejectedExecutionException e) {
            shown.release(); // the loop has ended, and so have its streams
        }
    }

    /** Ends a run in progress and the subscription, as no stream is left. Any thread. */
    void close() {
        try {
            home.execute(this::end);
        } catch (RejectedExecutionException e) {
            log.debug("topic {}: its event loop has ended before its live query", topic);
        }
    }

    private void end() {
        closed = true;
        all.topics().unsubscribe(topic, this);
        if (run != null) {
            run.abort();
            run = null;
        }
        if (pause != null) {
            pause.cancel(false);
        }
        publish(LiveState.none());
        count(0);
    }
}
