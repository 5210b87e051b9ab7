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
 * Local source addresses for connections. One address has some 28,000 ports, and fewer while closed
 * connections of an earlier run still occupy some. On Linux, all of 127.0.0.0/8 is loopback.
 */
final class LoopbackAddresses {

    private static final int ADDRESSES = 10;

    private LoopbackAddresses() {}

    /**
     * The addresses for a server: several if it runs on this machine with IPv4 and they can be bound, else
     * none, which leaves the choice to the kernel.
     */
    static List<String> towards(URI server) {
        try {
            var address = InetAddress.getByName(server.getHost());
            if (!address.isLoopbackAddress() || !(address instanceof Inet4Address)) {
                return List.of();
            }
        } catch (IOException _) {
            return List.of(); // the requests will report the error
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
