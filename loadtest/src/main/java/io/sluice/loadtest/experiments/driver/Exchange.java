package io.sluice.loadtest.experiments.driver;

/**
 * A request on its way.
 *
 * @param start when it was sent (closed loop) or meant to be sent (open loop), by {@link System#nanoTime}
 * @param counted what its answer counts in; null where that is decided by the time of the answer, and
 *     outside the measured phase
 */
record Exchange(Request request, long start, Answers counted) {}
