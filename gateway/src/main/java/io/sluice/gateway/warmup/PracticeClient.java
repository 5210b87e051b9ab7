package io.sluice.gateway.warmup;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A connection to this gateway that blocks its thread. It understands what practice routes answer. */
final class PracticeClient implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 2_000;
    private static final String LENGTH = "content-length:";

    private final Socket socket;
    private final DataInputStream in;

    PracticeClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    }

    /**
     * Sends a request and reads its answer.
     *
     * @return the answer's status
     * @throws IOException where none comes, or one that has no Content-Length
     */
    int request(byte[] request) throws IOException {
        socket.getOutputStream().write(request);
        int status = Integer.parseInt(line(in).split(" ")[1]);
        long length = status == 101 ? 0 : -1;
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            if (line.toLowerCase(Locale.ROOT).startsWith(LENGTH)) {
                length = Long.parseLong(line.substring(LENGTH.length()).strip());
            }
        }
        if (length < 0) {
            throw new IOException("an answer without a length");
        }
        in.skipNBytes(length);
        return status;
    }

    private static String line(InputStream in) throws IOException {
        var line = new StringBuilder(64);
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the connection ended within an answer");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    /** Sends a frame (RFC 6455 section 5.2) and reads one of so many bytes. */
    void frame(byte[] frame, int answer) throws IOException {
        socket.getOutputStream().write(frame);
        in.skipNBytes(answer);
    }

    /** The bytes of a request. */
    static byte[] bytes(String text) {
        return text.replace("\n", "\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
