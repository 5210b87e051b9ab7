package io.sluice.loadtest.experiments.driver;

import java.net.InetSocketAddress;

/**
 * Chooses the source addresses of connections to this machine, as one address does not have enough ports for
 * all.
 */
final class SourceAddress {

    /** The connections from each of 127.0.0.1, 127.0.0.2 and so on, far fewer than an address has ports. */
    private static final int PER_ADDRESS = 2_500;

    private SourceAddress() {}

    /** The source address of a connection by its number, counted from 0; the kernel chooses the port. */
    static InetSocketAddress of(int number) {
        return new InetSocketAddress("127.0.0." + (1 + number / PER_ADDRESS), 0);
    }
}
