package io.sluice.loadtest.experiments.wire;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;

/**
 * A server that answers the first byte of each connection with the same text, and then closes the connection.
 */
public final class Replies implements AutoCloseable {

    private final ServerSocket listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());

    /** Starts the server. If the text is empty, it closes connections without an answer. */
    public Replies(String text) throws IOException {
        Thread.ofVirtual().start(() -> {
            while (!listener.isClosed()) {
                try (var client = listener.accept()) {
                    client.getInputStream().read();
                    client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
                    client.shutdownOutput();
                    client.getInputStream().readAllBytes();
                } catch (IOException _) {
                    // the client has closed the connection
                }
            }
        });
    }

    /** Returns the port of the server. */
    public int port() {
        return listener.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
