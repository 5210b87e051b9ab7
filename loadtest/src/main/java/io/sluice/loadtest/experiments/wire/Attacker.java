package io.sluice.loadtest.experiments.wire;

import java.io.IOException;

/** A client that attacks on each of its connections until the connection is closed. */
@FunctionalInterface
public interface Attacker {

    /**
     * Attacks on a fresh connection, on a virtual thread; called again with another connection after it
     * returns.
     */
    void attack(Wire wire) throws IOException, InterruptedException;
}
