package io.sluice.loadtest.experiments.wire;

/**
 * Clients of one kind.
 *
 * @param clients how many connections there are at a time
 * @param receiveBuffer of each socket, in bytes, so that little of an answer is on its way; 0 leaves it to
 *     the kernel
 */
public record Squad(int clients, int receiveBuffer, Attacker attacker) {

    private static final int SMALL = 4 * 1_024;

    /** Of clients that read what they get. */
    public static Squad of(int clients, Attacker attacker) {
        return new Squad(clients, 0, attacker);
    }

    /** Of clients that read little or nothing. */
    public static Squad deaf(int clients, Attacker attacker) {
        return new Squad(clients, SMALL, attacker);
    }
}
