package io.sluice.loadtest.experiments.driver;

import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Decides when to send which request. Called on the event loop of its load. */
interface Pacing {

    /**
     * Begins the load; its connections are announced by {@link #free}.
     *
     * @param more to be run when another connection is needed
     */
    void begin(EventLoop loop, Runnable more);

    /** Notes that a connection is free. */
    void free(Connection connection);

    /** Notes that a free connection was closed. */
    void gone(Connection connection);

    /** Notes a complete response with a body of so many bytes. */
    void answered(Exchange exchange, AnswerClass answer, long bytes, long now);

    /** Notes a broken connection, with its request in flight; null before there was one. */
    void broken(@Nullable Exchange exchange);

    /** Notes that a connection that {@code more} requested could not be opened. */
    void refused();

    /**
     * Starts a measured phase; completes when its last response has arrived or is not waited for any more.
     */
    void measure(Duration duration, CompletableFuture<Answers> result);
}
