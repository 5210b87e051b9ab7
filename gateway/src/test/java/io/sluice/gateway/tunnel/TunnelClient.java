package io.sluice.gateway.tunnel;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;

/** A client that requests a tunnel, and then sends and reads bytes. */
final class TunnelClient implements AutoCloseable {
    private static final String REQUEST =
            "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: test\r\n\r\n";

    private static final int BUFFERS = 64 * 1024;

    private final Socket socket;
    private final InputStream in;

    TunnelClient(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(60_000);
        in = socket.getInputStream();
    }

    /** Opens a tunnel. */
    static TunnelClient open(Http http, int port) throws IOException {
        var client = new TunnelClient(http.connect(port, BUFFERS)).ask();
        String head = client.head();
        if (!head.startsWith("HTTP/1.1 101 ") && !head.startsWith("HTTP/2 200 ")) {
            throw new AssertionError(head);
        }
        return client;
    }

    /** Sends the request for a tunnel. */
    TunnelClient ask() throws IOException {
        return send(REQUEST);
    }

    /** Reads the head of the answer. */
    String head() throws IOException {
        var head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            head.append(read(1));
        }
        return head.toString();
    }

    TunnelClient send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(ISO_8859_1));
        return this;
    }

    /** Reads a number of bytes. */
    String read(int length) throws IOException {
        return new String(in.readNBytes(length), ISO_8859_1);
    }

    /** Reads until the server ends its side; returns null if the server resets the connection. */
    String readAll() throws IOException {
        try {
            return new String(in.readAllBytes(), ISO_8859_1);
        } catch (SocketException e) {
            return null;
        }
    }

    void shutdownOutput() throws IOException {
        socket.shutdownOutput();
    }

    /** Resets the connection. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
