package io.sluice.gateway.loop;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A finished task of an event loop: the I/O of one channel that was ready, or one task that was executed on
 * the loop. For the tests' budget of event-loop tasks.
 *
 * @param startNanos when it began, by {@link System#nanoTime}
 * @param cpu CPU time of the loop's thread; at most 0.25 ms too much
 * @param wall time from its start to its end
 * @param route the template of the last route that it ran for; null if it ran for none
 */
public record LoopTask(long startNanos, Duration cpu, Duration wall, @Nullable String route) {
}
