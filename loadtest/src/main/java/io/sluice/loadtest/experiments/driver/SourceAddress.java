package io.sluice.loadtest.experiments.driver;

import java.net.InetSocketAddress;

/** Where connections to this machine come from: one address has not ports enough for all of them. */
final class SourceAddress {

    /** Connections from each of 127.0.0.1, 127.0.0.2 and so on: far fewer than one address has ports. */
    private static final int PER_ADDRESS = 2_500;

    private SourceAddress() {}

    /** Of the connection of that number, counted from 0; the kernel chooses its port. */
    static InetSocketAddress of(int number) {
        return new InetSocketAddress("127.0.0." + (1 + number / PER_ADDRESS), 0);
    }
}
