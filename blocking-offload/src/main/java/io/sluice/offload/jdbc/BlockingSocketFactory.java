package io.sluice.offload.jdbc;

import java.io.IOException;
import java.lang.ref.Cleaner;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import javax.net.SocketFactory;

/**
 * Opens the sockets of PostgreSQL's driver, which loads this class by its name. A {@link Socket} stays
 * non-blocking once it has been connected with a timeout, and then waits for each response by three system
 * calls: a read in vain, a poll and a read. The socket of a channel is blocking again, and waits by one.
 *
 * <p>The driver has a factory for each connection, and leaves the socket open if its last write fails. The
 * garbage collector closes an ordinary socket then, but not that of a channel: a cleaner of this factory
 * does.
 */
public final class BlockingSocketFactory extends SocketFactory {

    private static final Cleaner CLEANER = Cleaner.create();

    private final Sockets sockets = new Sockets();

    /** Creates a factory; called by the driver. */
    public BlockingSocketFactory() {
        CLEANER.register(this, sockets);
    }

    /** The sockets of a connection: its own, and those of its cancel requests. */
    private static final class Sockets implements Runnable {
        private final List<Socket> open = new ArrayList<>();

        synchronized void add(Socket socket) {
            open.removeIf(Socket::isClosed);
            open.add(socket);
        }

        /** Closes them, since nobody uses them any more. */
        @Override
        public synchronized void run() {
            for (Socket socket : open) {
                try {
                    socket.close();
                } catch (IOException _) {
                    // It is released nevertheless.
                }
            }
        }
    }

    @Override
    public Socket createSocket() throws IOException {
        Socket socket = SocketChannel.open().socket();
        sockets.add(socket);
        return socket;
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return createSocket(InetAddress.getByName(host), port);
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        Socket socket = createSocket();
        try {
            socket.connect(new InetSocketAddress(host, port));
            return socket;
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) {
        throw new UnsupportedOperationException("local address: " + local + " (expected: none)");
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
        throw new UnsupportedOperationException("local address: " + local + " (expected: none)");
    }
}
