package io.sluice.gateway.warmup;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/**
 * A client of the warm-up. It sends one request after the other and blocks its thread until each is answered.
 * If the gateway ends the connection, the client opens another one. It understands only what the
 * warm-up's routes respond with.
 */
abstract class WarmUpClient implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 10_000;

    private final int port;
    /** Null if the next request needs a new connection. */
    private @Nullable Socket socket;
    @SuppressWarnings("NullAway.Init") // set with the socket
    private DataInputStream in;
    @SuppressWarnings("NullAway.Init") // set with the socket
    private OutputStream out;

    WarmUpClient(int port) {
        this.port = port;
    }

    /**
     * Sends a request and reads its response; blocks.
     *
     * @return the status of the response
     * @throws IOException if there is no response, or one that the client does not understand
     */
    final int request(WarmUpRequest request) throws IOException {
        connect();
        return exchange(request);
    }

    abstract int exchange(WarmUpRequest request) throws IOException;

    /** Sends what the client must send first on a connection, by {@link #send}. */
    abstract void greet() throws IOException;

    final void connect() throws IOException {
        if (socket == null) {
            var opened = new Socket(InetAddress.getLoopbackAddress(), port);
            socket = opened;
            opened.setTcpNoDelay(true);
            opened.setSoTimeout(PATIENCE_MILLIS);
            in = new DataInputStream(new BufferedInputStream(opened.getInputStream()));
            out = opened.getOutputStream();
            greet();
        }
    }

    final void send(byte[] bytes) throws IOException {
        out.write(bytes);
    }

    final DataInputStream in() {
        return in;
    }

    @Override
    public final void close() throws IOException {
        if (socket != null) {
            socket.close();
            socket = null;
        }
    }
}
