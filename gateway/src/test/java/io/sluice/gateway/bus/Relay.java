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
 * A TCP relay to a server. While it is stopped it resets each connection at once, and keeps its port: a test
 * in another JVM could take that.
 */
final class Relay {
    private final InetSocketAddress server;
    private final List<Socket> open = new ArrayList<>();
    private final ServerSocket listener;
    private boolean stopped;

    Relay(InetSocketAddress server) throws IOException {
        this.server = server;
        listener = listener();
        accept();
    }

    /**
     * Takes a port below those that the kernel chooses for clients, so that none gets it after it was closed.
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
        return listener.getLocalPort();
    }

    /** Starts again if it has been stopped. */
    synchronized void start() {
        stopped = false;
    }

    synchronized void stop() throws IOException {
        stopped = true;
        for (Socket socket : open) {
            socket.close();
        }
        open.clear();
    }

    synchronized void close() throws IOException {
        listener.close();
        stop();
    }

    private synchronized boolean isStopped() {
        return stopped;
    }

    private void accept() {
        Thread.ofPlatform().daemon().start(() -> {
            while (!listener.isClosed()) {
                try {
                    Socket client = listener.accept();
                    if (isStopped()) {
                        client.setSoLinger(true, 0);
                        client.close();
                        continue;
                    }
                    var there = new Socket(server.getAddress(), server.getPort());
                    synchronized (this) {
                        open.add(client);
                        open.add(there);
                        if (stopped) {
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
