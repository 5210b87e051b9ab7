package io.sluice.gateway.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;

/** A server that cannot be reached: its backlog is full, so that the kernel answers no further SYN. */
final class FullBacklog implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 100;

    private final ServerSocket server;
    private final List<Socket> waiting = new ArrayList<>();

    FullBacklog() throws IOException {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        for (boolean full = false; !full; ) {
            full = !connects();
        }
    }

    private boolean connects() throws IOException {
        var socket = new Socket();
        waiting.add(socket);
        try {
            socket.connect(server.getLocalSocketAddress(), PATIENCE_MILLIS);
            return true;
        } catch (SocketTimeoutException _) {
            return false;
        }
    }

    int port() {
        return server.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : waiting) {
            socket.close();
        }
    }
}
