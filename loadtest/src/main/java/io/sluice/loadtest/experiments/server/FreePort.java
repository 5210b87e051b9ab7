package io.sluice.loadtest.experiments.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Finds ports for servers that cannot take a free one by themselves, or do not print which. */
public final class FreePort {

    private FreePort() {}

    /** A port of this machine that nothing listens on. */
    public static int next() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Returns whether a server accepts connections to a port of this machine. */
    public static boolean isServed(int port) {
        try (var _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return true;
        } catch (IOException _) {
            return false;
        }
    }
}
