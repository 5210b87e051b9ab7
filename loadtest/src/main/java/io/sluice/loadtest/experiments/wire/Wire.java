package io.sluice.loadtest.experiments.wire;

import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * A blocking connection to a server on this machine. One thread uses it. Any thread may close it, which ends
 * a call that blocks.
 */
public final class Wire implements AutoCloseable {

    private static final int CONNECTING_MILLIS = 5_000;
    private static final int LONGEST_LINE = 64 * 1_024;
    private static final int SKIPPED_AT_ONCE = 64 * 1_024;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final Traffic traffic;

    private Wire(Socket socket, Traffic traffic) throws IOException {
        this.socket = socket;
        this.traffic = traffic;
        in = new BufferedInputStream(socket.getInputStream());
        out = socket.getOutputStream();
    }

    /**
     * Connects.
     *
     * @param from the source address, one of this machine such as 127.0.0.2
     * @param receiveBuffer of the socket, in bytes; 0 for the kernel's default
     */
    public static Wire open(String from, int port, int receiveBuffer, Traffic traffic) throws IOException {
        var socket = new Socket();
        try {
            if (receiveBuffer > 0) {
                socket.setReceiveBufferSize(receiveBuffer);
            }
            socket.setTcpNoDelay(true);
            socket.bind(new InetSocketAddress(InetAddress.ofLiteral(from), 0));
            socket.connect(
                    new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port), CONNECTING_MILLIS);
            return new Wire(socket, traffic);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * Speaks TLS from now on with whatever certificate the server has; blocks until the end of the handshake.
     * Its traffic is counted without TLS.
     */
    public Wire overTls() throws IOException {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
            var tls = (SSLSocket) context.getSocketFactory().createSocket(
                    socket, "localhost", socket.getPort(), true);
            tls.startHandshake();
            return new Wire(tls, traffic);
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    /** Sends a KeyUpdate of TLS 1.3 that asks for one of the server. */
    public void updateKeys() throws IOException {
        ((SSLSocket) socket).startHandshake(); // which is that once the connection is open
    }

    /** Sets the read timeout; a read that exceeds it throws a {@link java.net.SocketTimeoutException}. */
    public Wire patience(Duration patience) throws IOException {
        socket.setSoTimeout(Math.toIntExact(Math.max(1, patience.toMillis())));
        return this;
    }

    /** Sends the bytes; blocks while the server does not read. */
    public void send(byte[] bytes) throws IOException {
        out.write(bytes);
        traffic.sent(bytes.length);
    }

    /** Sends a text in ASCII. */
    public void send(String text) throws IOException {
        send(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Reads an exact number of bytes; blocks. */
    public byte[] read(int length) throws IOException {
        var bytes = in.readNBytes(length);
        traffic.received(bytes.length);
        if (bytes.length < length) {
            throw new EOFException("%d of %d bytes".formatted(bytes.length, length));
        }
        return bytes;
    }

    /** Reads a line, without its end; blocks. */
    public String line() throws IOException {
        var line = new StringBuilder();
        for (int next; (next = in.read()) != '\n';) {
            if (next < 0 || line.length() > LONGEST_LINE) {
                throw new EOFException("no end of the line: " + line);
            }
            line.append((char) next);
        }
        traffic.received(line.length() + 1);
        return line.toString().stripTrailing();
    }

    /** Drops the input that is available; does not block. */
    public void skipAvailable() throws IOException {
        for (int there; (there = in.available()) > 0;) {
            traffic.received(in.skip(Math.min(there, SKIPPED_AT_ONCE)));
        }
    }

    /** Drops all input until the server closes the connection; blocks. */
    public void skipToEnd() throws IOException {
        var bytes = new byte[SKIPPED_AT_ONCE];
        for (int read; (read = in.read(bytes)) >= 0;) {
            traffic.received(read);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
