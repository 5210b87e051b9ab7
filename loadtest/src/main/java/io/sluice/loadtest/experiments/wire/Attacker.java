package io.sluice.loadtest.experiments.wire;

import java.io.IOException;

/** A client that does on each of its connections what it can do, until the connection is closed. */
@FunctionalInterface
public interface Attacker {

    /**
     * Attacks on a fresh connection, on a virtual thread; comes back with another one when it returns.
     *
     * @throws IOException when the server, or the end of the attack, closes the connection
     */
    void attack(Wire wire) throws IOException, InterruptedException;
}
