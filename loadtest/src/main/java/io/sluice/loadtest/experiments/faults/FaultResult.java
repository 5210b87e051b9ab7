package io.sluice.loadtest.experiments.faults;

import java.time.Duration;

/**
 * What requests fared while a part failed, and after.
 *
 * @param begin of the fault, by {@link System#nanoTime}
 * @param repeated requests that were sent once more
 * @param recovery from the end of the fault, or from its beginning where it has none, until the last request
 *     was sent that was not answered right
 * @param state of the gateway in the end: {@code lives}, or how it ended
 */
record FaultResult(Fault fault, long begin, Tally tally, long repeated, Duration recovery, String state) {}
