package io.sluice.loadtest.experiments.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Finds ports for servers that cannot take a free one by themselves, or do not print which. */
final class FreePort {

    private FreePort() {}

    /** A port of this machine that nothing listens on. */
    static int next() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
