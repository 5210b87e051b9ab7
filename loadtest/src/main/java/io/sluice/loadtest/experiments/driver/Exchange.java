package io.sluice.loadtest.experiments.driver;

import org.jspecify.annotations.Nullable;

/**
 * A request in flight.
 *
 * @param start when it was sent (closed loop) or scheduled (open loop), by {@link System#nanoTime}
 * @param counted the phase in which its response counts; null if the time of the response decides that, and
 *     outside a measured phase
 */
record Exchange(Request request, long start, @Nullable Answers counted) {}
