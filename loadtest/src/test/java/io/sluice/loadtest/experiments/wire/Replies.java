package io.sluice.loadtest.experiments.wire;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;

/** A server that says the same on every connection and closes it when it has read a byte. */
public final class Replies implements AutoCloseable {

    private final ServerSocket listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());

    /** Says nothing where the text is empty. */
    public Replies(String text) throws IOException {
        Thread.ofVirtual().start(() -> {
            while (!listener.isClosed()) {
                try (var client = listener.accept()) {
                    client.getInputStream().read();
                    client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
                    client.shutdownOutput();
                    client.getInputStream().readAllBytes();
                } catch (IOException _) {
                    // the client has gone
                }
            }
        });
    }

    /** Where it listens. */
    public int port() {
        return listener.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
