package io.sluice.loadtest.experiments.driver;

import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** When to send what; called on the event loop of its load. */
interface Pacing {

    /**
     * The load begins; its connections are announced by {@link #free}.
     *
     * @param more to be run when another connection would be of use
     */
    void begin(EventLoop loop, Runnable more);

    /** A connection can take a request. */
    void free(Connection connection);

    /** A free connection is gone. */
    void gone(Connection connection);

    /** An answer is complete. */
    void answered(Exchange exchange, AnswerClass answer, long now);

    /** A connection broke, with this request on it or, where that is null, before there was one. */
    void broken(Exchange exchange);

    /** A connection that {@code more} asked for could not be made. */
    void refused();

    /** Starts a measured phase; completes when its last answer is there, or is no longer waited for. */
    void measure(Duration duration, CompletableFuture<Answers> result);
}
