package io.sluice.gateway.bus;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A TCP relay to a server. Its port stays the same after it has been stopped. Its threads are platform
 * threads: a socket in which a virtual one waits is closed only when that thread runs again.
 */
final class Relay {
    private final InetSocketAddress server;
    private final List<Socket> open = new ArrayList<>();
    private final int port;
    private ServerSocket listener;

    Relay(InetSocketAddress server) throws IOException {
        this.server = server;
        listener = listener();
        port = listener.getLocalPort();
        accept(listener);
    }

    /**
     * Takes a port that no client gets for itself while the relay is stopped: one below those that the kernel
     * chooses.
     */
    static ServerSocket listener() throws IOException {
        for (int tries = 0;; tries++) {
            try {
                return new ServerSocket(ThreadLocalRandom.current().nextInt(20_000, 32_000), 50,
                        InetAddress.getLoopbackAddress());
            } catch (BindException e) {
                if (tries == 100) {
                    throw e;
                }
            }
        }
    }

    int port() {
        return port;
    }

    /** Starts again if it has been stopped. */
    synchronized void start() throws IOException {
        if (!listener.isClosed()) {
            return;
        }
        var again = new ServerSocket();
        again.setReuseAddress(true);
        again.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        listener = again;
        accept(again);
    }

    synchronized void stop() throws IOException {
        listener.close();
        for (Socket socket : open) {
            socket.close();
        }
        open.clear();
    }

    private void accept(ServerSocket from) {
        Thread.ofPlatform().daemon().start(() -> {
            while (!from.isClosed()) {
                try {
                    Socket client = from.accept();
                    var there = new Socket(server.getAddress(), server.getPort());
                    synchronized (this) {
                        open.add(client);
                        open.add(there);
                        if (from.isClosed()) {
                            client.close();
                        }
                    }
                    copy(client, there);
                    copy(there, client);
                } catch (IOException e) {
                    // the relay or the server is stopped
                }
            }
        });
    }

    private static void copy(Socket from, Socket to) {
        Thread.ofPlatform().daemon().start(() -> {
            try (from; to) {
                from.getInputStream().transferTo(to.getOutputStream());
            } catch (IOException e) {
                // one of the connections has ended
            }
        });
    }
}
