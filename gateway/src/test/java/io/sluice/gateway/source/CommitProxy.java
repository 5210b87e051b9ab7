package io.sluice.gateway.source;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;

/** A TCP proxy in front of a database that can cut a connection between a commit and its reply. */
final class CommitProxy implements AutoCloseable {
    private final URI database;
    private final ServerSocket listener;
    private final AtomicBoolean cutsNext = new AtomicBoolean();

    /** Starts a proxy of the database of a JDBC URL. */
    CommitProxy(String url) throws IOException {
        this(url, 0);
    }

    /** Starts a proxy on the given port. */
    CommitProxy(String url, int port) throws IOException {
        database = URI.create(url.substring("jdbc:".length()));
        listener = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(() -> {
            try {
                while (true) {
                    serve(listener.accept());
                }
            } catch (IOException e) {
                // the listener is closed
            }
        });
    }

    /** Returns the JDBC URL of the database through the proxy. */
    String url() {
        return "jdbc:postgresql://127.0.0.1:" + listener.getLocalPort() + database.getPath()
                + "?sslmode=disable";
    }

    /** Withholds the reply to the next commit, and cuts the connection. */
    CommitProxy cutNext() {
        cutsNext.set(true);
        return this;
    }

    /** Returns whether the reply to a commit has been withheld. */
    boolean hasCut() {
        return !cutsNext.get();
    }

    private void serve(Socket client) throws IOException {
        var server = new Socket(database.getHost(), database.getPort());
        var committing = new AtomicBoolean();
        Thread.ofVirtual().start(() -> pass(client, server, bytes -> {
            if (bytes.contains("COMMIT") && cutsNext.compareAndSet(true, false)) {
                committing.set(true);
            }
            return true;
        }));
        Thread.ofVirtual().start(() -> pass(server, client, _ -> !committing.get()));
    }

    private interface Look {
        /** Returns whether these bytes may pass. */
        boolean at(String bytes);
    }

    private static void pass(Socket from, Socket to, Look look) {
        try (from; to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[16 * 1024];
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                if (!look.at(new String(buffer, 0, length, StandardCharsets.ISO_8859_1))) {
                    return;
                }
                out.write(buffer, 0, length);
            }
        } catch (IOException e) {
            // one of the connections has ended
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
