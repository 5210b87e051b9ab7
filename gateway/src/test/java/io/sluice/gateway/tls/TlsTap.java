package io.sluice.gateway.tls;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A relay of one connection that records the TLS records of both sides. */
final class TlsTap implements AutoCloseable {
    static final int ALERT = 21;
    static final int DATA = 23;

    private final ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final Socket server;
    private final List<Sent> records = new CopyOnWriteArrayList<>();
    private final List<Sent> ofClient = new CopyOnWriteArrayList<>();
    private final CompletableFuture<End> end = new CompletableFuture<>();

    /** A TLS record: its type, and the length of its content. */
    record Sent(int type, int length) {
    }

    /** The way in which a server ends a connection. */
    enum End { CLOSED, RESET }

    TlsTap(int port) throws IOException {
        server = new Socket(InetAddress.getLoopbackAddress(), port);
        Thread.ofPlatform().daemon().start(this::relay);
    }

    int port() {
        return listener.getLocalPort();
    }

    private void relay() {
        try (Socket client = listener.accept()) {
            Thread.ofPlatform().daemon().start(() -> toServer(client));
            relay(server, client, records);
        } catch (EOFException e) {
            end.complete(End.CLOSED);
        } catch (IOException e) {
            end.complete(End.RESET);
        }
    }

    /** Relays records up to the end of the input, which is an exception. */
    private static void relay(Socket from, Socket to, List<Sent> records) throws IOException {
        var in = new DataInputStream(from.getInputStream());
        while (true) {
            byte[] header = in.readNBytes(5);
            if (header.length < 5) {
                throw new EOFException();
            }
            byte[] content = in.readNBytes((header[3] & 0xFF) << 8 | header[4] & 0xFF);
            records.add(new Sent(header[0], content.length));
            write(to, header, content);
        }
    }

    private static void write(Socket to, byte[]... parts) {
        try {
            for (byte[] part : parts) {
                to.getOutputStream().write(part);
            }
        } catch (IOException e) {
            // this side has disconnected, and the other one may go on
        }
    }

    private void toServer(Socket client) {
        try {
            relay(client, server, ofClient);
        } catch (EOFException e) {
            shutdownOutput();
        } catch (IOException e) {
            // the server's direction records the end
        }
    }

    private void shutdownOutput() {
        try {
            server.shutdownOutput();
        } catch (IOException e) {
            // the server has disconnected
        }
    }

    /** Sends bytes to the server in place of the client. */
    void send(byte[] bytes) throws IOException {
        server.getOutputStream().write(bytes);
    }

    /** Returns the server's records so far. */
    List<Sent> records() {
        return records;
    }

    /** Returns the client's records so far. */
    List<Sent> ofClient() {
        return ofClient;
    }

    /** Waits for the end of the connection. */
    End end() throws Exception {
        return end.get(30, TimeUnit.SECONDS);
    }

    @Override
    public void close() throws IOException {
        server.close();
        listener.close();
    }
}
