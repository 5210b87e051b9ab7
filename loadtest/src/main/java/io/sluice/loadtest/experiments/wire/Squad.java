package io.sluice.loadtest.experiments.wire;

/**
 * Attacking clients of one kind.
 *
 * @param clients the number of concurrent connections
 * @param receiveBuffer of each connection, in bytes; small, so that little of a response is in transit; 0 for
 *     the kernel's default
 */
public record Squad(int clients, int receiveBuffer, Attacker attacker) {

    private static final int SMALL = 4 * 1_024;

    /** Clients that read what they receive. */
    public static Squad of(int clients, Attacker attacker) {
        return new Squad(clients, 0, attacker);
    }

    /** Clients that read little or nothing. */
    public static Squad deaf(int clients, Attacker attacker) {
        return new Squad(clients, SMALL, attacker);
    }
}
