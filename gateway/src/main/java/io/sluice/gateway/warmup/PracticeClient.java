package io.sluice.gateway.warmup;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;

/**
 * Asks this gateway, one request after the other, and blocks its thread until each is answered. A connection
 * that the gateway wants to end is followed by another. It understands what practice routes answer.
 */
abstract class PracticeClient implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 2_000;

    private final int port;
    /** Null where the next request needs a new one. */
    private Socket socket;
    private DataInputStream in;

    PracticeClient(int port) {
        this.port = port;
    }

    /**
     * Sends a request and reads its answer.
     *
     * @return the answer's status
     * @throws IOException where none comes, or one that it does not understand
     */
    final int request(PracticeRequest request) throws IOException {
        connect();
        return exchange(request);
    }

    abstract int exchange(PracticeRequest request) throws IOException;

    /** What a client says first; to be sent by {@link #send}. */
    abstract void greet() throws IOException;

    final void connect() throws IOException {
        if (socket == null) {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(PATIENCE_MILLIS);
            in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            greet();
        }
    }

    final void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
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
