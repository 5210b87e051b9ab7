package io.sluice.loadtest.experiments.driver;

import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An open loop: sends requests on a schedule, whether earlier ones have been answered or not. A request waits
 * if no connection is free, and its latency includes that: it counts from the scheduled time. The requests of
 * a measured phase are those that were scheduled within it, whenever they are answered.
 */
final class OpenLoop implements Pacing {

    private final Arrivals arrivals;
    private final RequestSource source;
    private final Duration patience;
    private final ArrayDeque<Connection> idle = new ArrayDeque<>();
    private final ArrayDeque<Exchange> waiting = new ArrayDeque<>();
    @SuppressWarnings("NullAway.Init") // set by begin(), like the next
    private EventLoop loop;
    @SuppressWarnings("NullAway.Init")
    private Runnable more;
    private long next;
    private @Nullable Answers measured;
    private long measuredEnd;
    private @Nullable Answers closing;
    private CompletableFuture<Answers> result = new CompletableFuture<>();

    /**
     * An open loop.
     *
     * @param patience how long responses are waited for after the measured phase
     */
    OpenLoop(Arrivals arrivals, RequestSource source, Duration patience) {
        this.arrivals = arrivals;
        this.source = source;
        this.patience = patience;
    }

    @Override
    public void begin(EventLoop loop, Runnable more) {
        this.loop = loop;
        this.more = more;
        next = System.nanoTime() + arrivals.gap();
        tick();
    }

    private void tick() {
        long now = System.nanoTime();
        for (; next - now <= 0; next += arrivals.gap()) {
            arrive(next, now);
        }
        loop.schedule(this::tick, next - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    private void arrive(long intended, long now) {
        if (measured != null && intended - measuredEnd >= 0) {
            close(measured);
        }
        var exchange = new Exchange(source.next(), intended, measured);
        if (measured != null) {
            measured.await();
        }
        var connection = idle.poll();
        if (connection == null) {
            waiting.add(exchange);
            more.run();
            return;
        }
        if (measured != null) {
            measured.lagged(now - intended);
        }
        connection.send(exchange);
    }

    @Override
    public void free(Connection connection) {
        var longest = waiting.poll();
        if (longest == null) {
            idle.add(connection);
        } else {
            connection.send(longest);
        }
    }

    @Override
    public void gone(Connection connection) {
        idle.remove(connection);
    }

    @Override
    public void answered(Exchange exchange, AnswerClass answer, long bytes, long now) {
        if (measured != null) {
            measured.arrived(answer, bytes);
        }
        if (exchange.counted() != null) {
            exchange.counted().answered(exchange.request().kind(), answer, now - exchange.start());
            settled(exchange.counted());
        }
    }

    @Override
    public void broken(@Nullable Exchange exchange) {
        if (exchange == null) {
            if (measured != null) {
                measured.broken();
            }
        } else if (exchange.counted() != null) {
            exchange.counted().broken();
            settled(exchange.counted());
        }
    }

    /** Fails the request that has waited for longest. */
    @Override
    public void refused() {
        var longest = waiting.poll();
        if (longest != null) {
            broken(longest);
        }
    }

    private void settled(Answers answers) {
        answers.settled();
        if (answers == closing && answers.complete()) {
            finish(answers);
        }
    }

    @Override
    public void measure(Duration duration, CompletableFuture<Answers> result) {
        measured = new Answers(duration);
        measuredEnd = next + duration.toNanos();
        this.result = result;
    }

    /**
     * Ends the phase. The load goes on, so that the last requests of the phase meet the same conditions as
     * its first.
     */
    private void close(Answers answers) {
        measured = null;
        closing = answers;
        if (answers.complete()) {
            finish(answers);
        } else {
            loop.schedule(() -> finish(answers), patience.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private void finish(Answers answers) {
        if (closing == answers) {
            closing = null;
            answers.end();
            result.complete(answers);
        }
    }
}
