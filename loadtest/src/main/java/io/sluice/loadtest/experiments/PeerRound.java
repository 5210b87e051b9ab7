package io.sluice.loadtest.experiments;

import io.sluice.loadtest.experiments.bench.Round;

/**
 * One measured phase of one server.
 *
 * @param residentBytes the memory of its process at the end, as the kernel counts it
 * @param threads its threads at the end, as the kernel counts them
 */
record PeerRound(Round round, long residentBytes, long threads) {}
