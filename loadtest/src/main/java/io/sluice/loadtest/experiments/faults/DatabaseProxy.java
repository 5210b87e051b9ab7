package io.sluice.loadtest.experiments.faults;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * A TCP proxy between the gateways and their database that can inject failures. Two virtual threads serve
 * each connection.
 */
final class DatabaseProxy implements AutoCloseable {

    private static final int AT_ONCE = 16 * 1_024;

    private final ServerSocket listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile int target;
    private volatile boolean down;
    private volatile Duration delay = Duration.ZERO;
    private volatile long resetAfter = Long.MAX_VALUE;

    /** A proxy for a database on a port of this machine. */
    DatabaseProxy(int target) throws IOException {
        this.target = target;
        Thread.ofVirtual().name("database-proxy").start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Directs new connections to another database; existing ones stay. */
    void target(int port) {
        target = port;
    }

    /** Closes all connections, and each new one. */
    void down() {
        down = true;
        open.forEach(DatabaseProxy::reset);
    }

    /** Delays all data from the database, in pieces of a few kilobytes. */
    void slow(Duration delay) {
        this.delay = delay;
    }

    /** Resets each connection, existing or new, after a number of further bytes from the database. */
    void resetAfter(long bytes) {
        resetAfter = bytes;
    }

    /** Ends the failure. */
    void mend() {
        down = false;
        delay = Duration.ZERO;
        resetAfter = Long.MAX_VALUE;
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                var client = listener.accept();
                Thread.ofVirtual().start(() -> serve(client));
            } catch (IOException _) {
                // the proxy is closed, or that connection already is
            }
        }
    }

    private void serve(Socket client) {
        try (client; var server = new Socket(InetAddress.getLoopbackAddress(), target)) {
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            open.add(client);
            open.add(server);
            try {
                if (down) { // checked last, so that either thread sees the other's change
                    reset(client);
                }
                var there = Thread.ofVirtual().start(() -> carry(client, server));
                answer(server, client);
                there.interrupt(); // which closes the socket that it reads from
            } finally {
                open.remove(client);
                open.remove(server);
            }
        } catch (IOException | InterruptedException _) {
            // one of them has ended it
        }
    }

    private static void carry(Socket from, Socket to) {
        try (to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException _) {
            // one of them has ended it
        }
    }

    private void answer(Socket from, Socket to) throws IOException, InterruptedException {
        var bytes = new byte[AT_ONCE];
        long counted = 0;
        var in = from.getInputStream();
        for (int read; (read = in.read(bytes)) >= 0;) {
            TimeUnit.NANOSECONDS.sleep(delay.toNanos());
            if (resetAfter == Long.MAX_VALUE) {
                counted = 0;
            } else if ((counted += read) > resetAfter) {
                reset(to);
            }
            to.getOutputStream().write(bytes, 0, read);
        }
    }

    private static void reset(Socket socket) {
        try (socket) {
            socket.setSoLinger(true, 0);
        } catch (IOException _) {
            // it is closed
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        down();
    }
}
