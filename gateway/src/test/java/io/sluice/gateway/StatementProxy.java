package io.sluice.gateway;

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
 * A TCP proxy in front of a PostgreSQL that can cut a connection between a statement and its result: for the
 * database, as if the client had been killed behind the statement.
 */
public final class StatementProxy implements AutoCloseable {
    private final URI database;
    private final ServerSocket listener;
    /** A part of the text of the next statement to cut at; null for none. */
    private final AtomicReference<String> next = new AtomicReference<>();

    /** Starts a proxy of the database of a JDBC URL. */
    public StatementProxy(String url) throws IOException {
        this(url, 0);
    }

    /** Starts a proxy on the given port. */
    public StatementProxy(String url, int port) throws IOException {
        database = URI.create(url.substring("jdbc:".length()));
        listener = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().start(() -> {
            try {
                while (true) {
                    serve(listener.accept());
                }
            } catch (IOException e) {
                // the listener is closed
            }
        });
    }

    /** Returns the JDBC URL of the database through the proxy; its driver sends the text of statements. */
    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + listener.getLocalPort() + database.getPath()
                + "?sslmode=disable&prepareThreshold=0";
    }

    /** Withholds the result of the next statement whose text has this part, and cuts the connection. */
    public StatementProxy cutNext(String statement) {
        next.set(statement);
        return this;
    }

    /** Returns whether no result is to be withheld, or it has been. */
    public boolean hasCut() {
        return next.get() == null;
    }

    private void serve(Socket client) throws IOException {
        var server = new Socket(database.getHost(), database.getPort());
        var isCut = new AtomicBoolean();
        Thread.ofPlatform().daemon().start(() -> pass(client, server, bytes -> {
            String statement = next.get();
            if (statement != null && bytes.contains(statement) && next.compareAndSet(statement, null)) {
                isCut.set(true);
            }
            return true;
        }));
        Thread.ofPlatform().daemon().start(() -> pass(server, client, _ -> !isCut.get()));
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
