package io.sluice.loadtest.experiments.driver;

import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** When to send what; called on the event loop of its load. */
interface Pacing {

    /** All connections are there and free. */
    void begin(EventLoop loop);

    /** A connection can take a request. */
    void free(Connection connection);

    /** A free connection is gone. */
    void gone(Connection connection);

    /** An answer is complete. */
    void answered(Exchange exchange, AnswerClass answer, long now);

    /** A connection broke, with this request on it or, where that is null, before there was one. */
    void broken(Exchange exchange);

    /** Starts a measured phase; completes when its last answer is there, or is no longer waited for. */
    void measure(Duration duration, CompletableFuture<Answers> result);
}
