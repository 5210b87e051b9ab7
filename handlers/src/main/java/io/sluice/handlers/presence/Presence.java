package io.sluice.handlers.presence;

import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.config.topic.PresenceConfig;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.presence.Roster.Answer;
import io.sluice.handlers.presence.Roster.Report;
import io.sluice.handlers.rights.Caller;
import io.sluice.offload.Guard;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The members of a set's topics (decision 30). Event loops tell when a subscriber comes and goes;
 * all else is done on a thread of its own. Changes of an interval make one report to the roster for each
 * topic. Thread-safe.
 */
public final class Presence implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Presence.class);
    /** The most reports that are under way; others wait. */
    private static final int MAX_UNDER_WAY = 100;
    /** The time for farewells; those for 100,000 topics take a second. */
    private static final long FAREWELL_MILLIS = 3000;
    private static final long CLOSE_MILLIS = 1000;

    private final PresenceConfig config;
    private final Roster roster;
    private final BiConsumer<String, SharedMessage> feed;
    private final EventExecutor thread;
    private final LongSupplier nanoTime;
    private final Map<String, TopicReports> topics = new HashMap<>();
    private final ArrayDeque<TopicReports> due = new ArrayDeque<>();
    private final ArrayDeque<TopicReports> renewing = new ArrayDeque<>();
    private final SharedReads reads;
    private final Guard guard = new Guard(log, "presence was not reported; it is tried again");
    private int underWay;
    private boolean closing;

    /**
     * Creates presence without members, whose changes are reported by {@link #tick()}.
     *
     * @param feed sends a state, which stays the caller's, to those who watch a topic; may throw 503
     */
    Presence(PresenceConfig config, Roster roster, BiConsumer<String, SharedMessage> feed,
             EventExecutor thread, LongSupplier nanoTime) {
        this.config = config;
        this.roster = roster;
        this.feed = feed;
        this.thread = thread;
        this.nanoTime = nanoTime;
        reads = new SharedReads(config, roster, thread);
    }

    /**
     * Starts without members, and reports their changes each interval.
     *
     * @param feed sends a state, which stays the caller's, to those who watch a topic; may throw 503
     */
    public static Presence start(PresenceConfig config, Roster roster,
                                 BiConsumer<String, SharedMessage> feed) {
        var thread = new DefaultEventExecutor(new DefaultThreadFactory("presence", true));
        var started = new Presence(config, roster, feed, thread, System::nanoTime);
        long interval = config.interval().toNanos();
        thread.scheduleWithFixedDelay(started::tick, interval, interval, TimeUnit.NANOSECONDS);
        return started;
    }

    /** Takes note of a subscriber that comes. Any thread. */
    public void joined(String topic, Caller caller) {
        change(topic, reports -> reports.members().joined(caller));
    }

    /** Takes note of a subscriber that goes. Any thread. */
    public void left(String topic, Caller caller) {
        change(topic, reports -> reports.members().left(caller, nanoTime.getAsLong()));
    }

    /** Begins to tell a topic's state by the feed: within an interval, and when it changes. Any thread. */
    public void watched(String topic) {
        change(topic, TopicReports::watched);
    }

    /** Ends what {@link #watched} has begun. Any thread. */
    public void unwatched(String topic) {
        change(topic, TopicReports::unwatched);
    }

    private void change(String topic, Consumer<TopicReports> change) {
        try {
            thread.execute(() -> change.accept(topics.computeIfAbsent(topic,
                    _ -> new TopicReports(topic, config, nanoTime.getAsLong()))));
        } catch (RejectedExecutionException _) {
            // closed: later changes do not matter
        }
    }

    /**
     * Returns who is in a topic, as JSON, with the changes up to an interval ago. Requests of an interval
     * share an answer. Any thread.
     *
     * @return completes on any thread; fails with 503 if the bus cannot be reached
     */
    public CompletableFuture<byte[]> read(String topic) {
        return CompletableFuture.supplyAsync(() -> reads.read(topic, nanoTime.getAsLong()), thread)
                .thenCompose(json -> json);
    }

    /** Reports the changes of an interval. On the thread. */
    void tick() {
        if (!closing) {
            guard.run(this::report);
        }
    }

    private void report() {
        long now = nanoTime.getAsLong();
        reads.expire(now);
        int most = renewals();
        topics.values().removeIf(reports -> {
            reports.members().expire(now);
            if (reports.tryBegin()) {
                due.add(reports);
            } else if (renewing.size() < most && reports.tryBeginRenewal(now)) {
                renewing.add(reports);
            }
            return reports.isOver(now);
        });
        reportDue();
    }

    /** Returns the most renewals of an interval: those of all topics are spread over half of their time. */
    private int renewals() {
        double intervals = (double) config.expiry().toNanos() / PresenceConfig.REPORTS
                / config.interval().toNanos();
        return (int) Math.ceil(2 * topics.size() / intervals);
    }

    private void reportDue() {
        if (closing) { // a report after the farewell would undo it
            return;
        }
        while (underWay < MAX_UNDER_WAY && !due.isEmpty()) {
            TopicReports reports = due.remove();
            if (!guard.run(() -> report(reports))) {
                reports.notBegun();
            }
        }
        while (underWay < MAX_UNDER_WAY && !renewing.isEmpty()) {
            List<TopicReports> renewed = next(renewing);
            if (!guard.run(() -> renew(renewed))) {
                renewed.forEach(TopicReports::notBegun);
            }
        }
    }

    private void report(TopicReports reports) {
        Report report = reports.report(nanoTime.getAsLong());
        underWay++;
        asked(() -> roster.report(reports.topic(), report)).whenCompleteAsync((answer, failure) -> {
            underWay--;
            guard.run(() -> finished(reports, report, answer, failure));
            reportDue();
        }, thread);
    }

    /** Removes the first topics, as many as a renewal may have. */
    private static List<TopicReports> next(ArrayDeque<TopicReports> from) {
        var next = new ArrayList<TopicReports>();
        while (next.size() < Report.MAX_TOPICS && !from.isEmpty()) {
            next.add(from.remove());
        }
        return next;
    }

    private void renew(List<TopicReports> renewed) {
        long now = nanoTime.getAsLong();
        Map<String, Report> renewals = renewed.stream().collect(
                Collectors.toMap(TopicReports::topic, reports -> reports.renewal(now)));
        underWay++;
        asked(() -> roster.renew(renewals)).whenCompleteAsync((answers, failure) -> {
            underWay--;
            for (TopicReports reports : renewed) {
                guard.run(() -> finished(reports, Objects.requireNonNull(renewals.get(reports.topic())),
                        answers == null ? null : answers.get(reports.topic()), failure));
            }
            reportDue();
        }, thread);
    }

    /** Asks the roster; what it throws is a failed answer. */
    private <T> CompletableFuture<T> asked(Supplier<CompletableFuture<T>> question) {
        try {
            return question.get();
        } catch (Throwable e) {
            guard.report(e);
            return CompletableFuture.failedFuture(e);
        }
    }

    private void finished(TopicReports reports, Report report, @Nullable Answer answer,
                          @Nullable Throwable failure) {
        if (failure != null || answer == null) {
            log.debug("presence of topic {} was not reported", reports.topic(), failure);
            reports.failed(report);
            return;
        }
        byte[] json = reports.answered(report, answer, nanoTime.getAsLong());
        Report former = reports.restart(answer);
        if (former != null) {
            roster.report(reports.topic(), former);
        }
        if (json != null) {
            publish(reports, json);
        }
        if ((report.isFull() || answer.more()) && reports.tryBegin()) {
            due.add(reports);
        }
    }

    private void publish(TopicReports reports, byte[] json) {
        var message = new SharedMessage(true, Unpooled.wrappedBuffer(json));
        try {
            feed.accept(reports.topic(), message);
        } catch (HttpException _) {
            reports.announce(); // messages are on their way already
        } catch (Throwable e) {
            reports.announce();
            guard.report(e);
        } finally {
            message.release();
        }
    }

    /**
     * Has the roster forget this gateway after the time for which members stay without a connection: those
     * that have gone on to another gateway do not leave. Blocks for a few seconds at most.
     */
    @Override
    public void close() {
        var sent = new CompletableFuture<Void>();
        thread.execute(() -> {
            closing = true;
            sendFarewells(topics.values().stream().filter(TopicReports::isKnown)
                    .collect(Collectors.toCollection(ArrayDeque::new)), sent);
        });
        try {
            sent.get(FAREWELL_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            log.debug("members of this gateway leave when it has expired", e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        thread.shutdownGracefully(0, CLOSE_MILLIS, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(CLOSE_MILLIS);
    }

    /** Sends farewells in parts, one after the other: the roster refuses too many reports at once. */
    private void sendFarewells(ArrayDeque<TopicReports> left, CompletableFuture<Void> sent) {
        if (left.isEmpty()) {
            sent.complete(null);
            return;
        }
        long millis = config.leaveAfter().toMillis();
        roster.renew(next(left).stream().collect(
                Collectors.toMap(TopicReports::topic, reports -> reports.farewell(millis))))
                .whenCompleteAsync((_, failure) -> {
                    if (failure == null) {
                        sendFarewells(left, sent);
                    } else {
                        sent.completeExceptionally(failure);
                    }
                }, thread);
    }
}
