package io.sluice.gateway.write;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A TCP proxy before a database that cuts a connection at a statement: what the database sees when its client is
 * killed there.
 */
final class StatementProxy implements AutoCloseable {
    private final URI database;
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    /** The next cut; null for none. */
    private final AtomicReference<Cut> next = new AtomicReference<>();

    /**
     * Where to cut.
     *
     * @param statement a part of its text
     * @param isRun whether the database runs it, so that only its result is lost
     */
    record Cut(String statement, boolean isRun) {
    }

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

    void cutNext(Cut cut) {
        next.set(cut);
    }

    boolean hasCut() {
        return next.get() == null;
    }

    private void serve(Socket client) throws IOException {
        var server = new Socket(database.getHost(), database.getPort());
        var cutting = new AtomicReference<Cut>();
        Thread.ofVirtual().start(() -> pass(client, server, bytes -> {
            Cut cut = next.get();
            if (cut != null && bytes.contains(cut.statement()) && next.compareAndSet(cut, null)) {
                cutting.set(cut);
                return cut.isRun();
            }
            return true;
        }));
        Thread.ofVirtual().start(() -> pass(server, client, _ -> cutting.get() == null));
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
