package io.sluice.loadtest.experiments.driver;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A closed loop: each connection sends its next request at the response, or a pause later. Responses within
 * the measured phase count, even those to earlier requests.
 */
final class ClosedLoop implements Pacing {

    private final RequestSource source;
    private final Duration pause;
    private final Map<Connection, Future<?>> pausing = new HashMap<>();
    @SuppressWarnings("NullAway.Init") // set by begin()
    private EventLoop loop;
    private @Nullable Answers measured;
    private long inFlight;

    /**
     * Users who pause before each request.
     *
     * @param pause may be zero
     */
    ClosedLoop(RequestSource source, Duration pause) {
        this.source = source;
        this.pause = pause;
    }

    @Override
    public void begin(EventLoop loop, Runnable more) {
        this.loop = loop;
    }

    @Override
    public void free(Connection connection) {
        if (pause.isZero()) {
            send(connection);
        } else {
            pausing.put(connection, loop.schedule(() -> {
                pausing.remove(connection);
                send(connection);
            }, pause.toNanos(), TimeUnit.NANOSECONDS));
        }
    }

    private void send(Connection connection) {
        inFlight++;
        connection.send(new Exchange(source.next(), System.nanoTime(), null));
    }

    @Override
    public void gone(Connection connection) {
        var wait = pausing.remove(connection);
        if (wait != null) {
            wait.cancel(false);
        }
    }

    @Override
    public void refused() {
        broken(null);
    }

    @Override
    public void answered(Exchange exchange, AnswerClass answer, long bytes, long now) {
        inFlight--;
        if (measured != null) {
            measured.arrived(answer, bytes);
            measured.answered(exchange.request().kind(), answer, now - exchange.start());
        }
    }

    @Override
    public void broken(@Nullable Exchange exchange) {
        if (exchange != null) {
            inFlight--;
        }
        if (measured != null) {
            measured.broken();
        }
    }

    @Override
    public void measure(Duration duration, CompletableFuture<Answers> result) {
        var phase = new Answers(duration);
        measured = phase;
        loop.schedule(() -> {
            measured = null;
            phase.end(inFlight);
            result.complete(phase);
        }, duration.toNanos(), TimeUnit.NANOSECONDS);
    }
}
