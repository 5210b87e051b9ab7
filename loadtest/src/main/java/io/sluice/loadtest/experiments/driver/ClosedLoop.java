package io.sluice.loadtest.experiments.driver;

import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The next request goes out when the answer is there. What is answered within the measured phase counts,
 * whenever it was sent.
 */
final class ClosedLoop implements Pacing {

    private final RequestSource source;
    private EventLoop loop;
    private Answers measured;

    ClosedLoop(RequestSource source) {
        this.source = source;
    }

    @Override
    public void begin(EventLoop loop) {
        this.loop = loop;
    }

    @Override
    public void free(Connection connection) {
        connection.send(new Exchange(source.next(), System.nanoTime(), null));
    }

    @Override
    public void gone(Connection connection) {
        // its successor will be free
    }

    @Override
    public void answered(Exchange exchange, AnswerClass answer, long now) {
        if (measured != null) {
            measured.arrived(answer);
            measured.answered(exchange.request().kind(), answer, now - exchange.start());
        }
    }

    @Override
    public void broken(Exchange exchange) {
        if (measured != null) {
            measured.broken();
        }
    }

    @Override
    public void measure(Duration duration, CompletableFuture<Answers> result) {
        measured = new Answers(duration);
        loop.schedule(() -> {
            var done = measured;
            measured = null;
            done.end();
            result.complete(done);
        }, duration.toNanos(), TimeUnit.NANOSECONDS);
    }
}
