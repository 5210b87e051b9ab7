package io.sluice.offload.jdbc;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import javax.net.SocketFactory;

/**
 * Opens the sockets of PostgreSQL's driver, which loads this class by its name. A {@link Socket} stays
 * non-blocking once it has been connected with a timeout, and then waits for each response by three system
 * calls: a read in vain, a poll and a read. The socket of a channel is blocking again, and waits by one.
 */
public final class BlockingSocketFactory extends SocketFactory {

    /** Creates a factory; called by the driver. */
    public BlockingSocketFactory() {
    }

    @Override
    public Socket createSocket() throws IOException {
        return SocketChannel.open().socket();
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
