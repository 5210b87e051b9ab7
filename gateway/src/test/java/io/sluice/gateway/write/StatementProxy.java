package io.sluice.gateway.write;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A TCP proxy before a database that cuts a connection when the database has run a statement, so that its
 * result is lost: as if the client had been killed behind it.
 */
final class StatementProxy implements AutoCloseable {
    private final URI database;
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    /** A part of the text of the next statement to cut at; null for none. */
    private final AtomicReference<String> next = new AtomicReference<>();

    /** To the database of a JDBC URL. */
    StatementProxy(String url) throws IOException {
        database = URI.create(url.substring("jdbc:".length()));
        Thread.ofVirtual().start(() -> {
            try {
                while (true) {
                    serve(listener.accept());
                }
            } catch (IOException e) {
                // Closed.
            }
        });
    }

    /** The URL by way of this, whose driver sends the text of each statement. */
    String url() {
        return "jdbc:postgresql://127.0.0.1:" + listener.getLocalPort() + database.getPath()
                + "?sslmode=disable&prepareThreshold=0";
    }

    void cutNext(String statement) {
        next.set(statement);
    }

    boolean hasCut() {
        return next.get() == null;
    }

    private void serve(Socket client) throws IOException {
        var server = new Socket(database.getHost(), database.getPort());
        var isCut = new AtomicBoolean();
        Thread.ofVirtual().start(() -> pass(client, server, bytes -> {
            String statement = next.get();
            if (statement != null && bytes.contains(statement) && next.compareAndSet(statement, null)) {
                isCut.set(true);
            }
            return true;
        }));
        Thread.ofVirtual().start(() -> pass(server, client, _ -> !isCut.get()));
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
            // One of the two has gone.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
