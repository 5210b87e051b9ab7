package io.sluice.loadtest.simulations;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Addresses of this machine to connect from. From one address there are some 28,000 ports, fewer while
 * closed connections of an earlier run still hold theirs; on Linux all of 127.0.0.0/8 is loopback.
 */
final class LoopbackAddresses {

    private static final int ADDRESSES = 10;

    private LoopbackAddresses() {}

    /** Several where the server is on this machine, by IPv4, and they can be bound; else none, for any. */
    static List<String> towards(URI server) {
        try {
            var address = InetAddress.getByName(server.getHost());
            if (!address.isLoopbackAddress() || !(address instanceof Inet4Address)) {
                return List.of();
            }
        } catch (IOException _) {
            return List.of(); // The requests will say so.
        }
        return IntStream.rangeClosed(1, ADDRESSES).mapToObj(n -> "127.0.0." + n)
                .filter(LoopbackAddresses::isOfThisMachine).toList();
    }

    private static boolean isOfThisMachine(String address) {
        try (var socket = new Socket()) {
            socket.bind(new InetSocketAddress(address, 0));
            return true;
        } catch (IOException _) {
            return false;
        }
    }
}
