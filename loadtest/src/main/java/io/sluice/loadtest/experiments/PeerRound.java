package io.sluice.loadtest.experiments;

/**
 * One measured phase of one server.
 *
 * @param residentBytes the memory of its process in the end, as the kernel counts it
 * @param threads of the kernel's, in the end
 */
record PeerRound(Round round, long residentBytes, long threads) {}
