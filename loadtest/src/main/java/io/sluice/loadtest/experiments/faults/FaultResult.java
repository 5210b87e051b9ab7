package io.sluice.loadtest.experiments.faults;

import java.time.Duration;

/**
 * The results of requests during and after a fault.
 *
 * @param begin of the fault, by {@link System#nanoTime}
 * @param repeated the number of repeated requests
 * @param recovery the time from the end of the fault, or from its beginning if it does not end, until the
 *     last request was sent that did not get the right response
 * @param state of the gateway at the end: {@code lives}, or how it ended
 */
record FaultResult(Fault fault, long begin, Tally tally, long repeated, Duration recovery, String state) {}
