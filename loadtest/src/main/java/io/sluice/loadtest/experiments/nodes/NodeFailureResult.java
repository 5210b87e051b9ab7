package io.sluice.loadtest.experiments.nodes;

import java.time.Duration;

/**
 * The messages before, during and after a fault.
 *
 * @param sent published for certain
 * @param posts requests that were sent once more
 * @param tally of all clients
 * @param recovery from the kill to the arrival of the last message that was late
 * @param arrivals at all clients since the kill, in bins; not to be changed
 */
record NodeFailureResult(NodeFault fault, long sent, long posts, MessageTally tally, Duration recovery,
        long[] arrivals) {}
