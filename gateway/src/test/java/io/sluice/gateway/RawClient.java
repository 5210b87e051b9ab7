package io.sluice.gateway;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A socket of a client that sends any bytes and reads answers one by one. */
public final class RawClient implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 60_000;

    private final Socket socket;
    private final InputStream in;

    /** Connects to a port of this machine. */
    public RawClient(int port) throws IOException {
        this(port, 0);
    }

    /**
     * Connects with the given sizes of socket buffers. They are set before the connection opens, since TCP
     * loses data in flight if the window shrinks later.
     *
     * @param buffers in bytes; 0 for the kernel's default
     */
    public RawClient(int port, int buffers) throws IOException {
        socket = new Socket();
        if (buffers > 0) {
            socket.setReceiveBufferSize(buffers);
            socket.setSendBufferSize(buffers);
        }
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
    }

    /** Wraps a connected socket. */
    public RawClient(Socket connected) throws IOException {
        socket = connected;
        socket.setSoTimeout(TIMEOUT_MILLIS);
        in = new BufferedInputStream(socket.getInputStream());
    }

    /** An answer of the server. */
    public record Answer(String statusLine, List<String> headers, byte[] content, List<String> trailers) {
        /** Creates an answer without trailers. */
        public Answer(String statusLine, List<String> headers, byte[] content) {
            this(statusLine, headers, content, List.of());
        }

        public int status() {
            return Integer.parseInt(statusLine.split(" ")[1]);
        }

        public String body() {
            return new String(content, StandardCharsets.UTF_8);
        }

        /** Returns a header's value, or null; fails if the header occurs more than once. */
        public String header(String name) {
            String prefix = name.toLowerCase(Locale.ROOT) + ':';
            List<String> found = headers.stream()
                    .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(prefix))
                    .map(line -> line.substring(name.length() + 1).strip()).toList();
            if (found.size() > 1) {
                throw new AssertionError(name + " stands twice: " + found);
            }
            return found.isEmpty() ? null : found.getFirst();
        }
    }

    public RawClient send(String latin1) throws IOException {
        return send(latin1.getBytes(StandardCharsets.ISO_8859_1));
    }

    public RawClient send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
        return this;
    }

    /** Reads the answer to a request that is not HEAD. */
    public Answer read() throws IOException {
        return readBody(readHead());
    }

    /** Reads the head of an answer, which is all of an answer to HEAD. */
    public Answer readHead() throws IOException {
        return new Answer(line(), fields(), new byte[0]);
    }

    /** Reads the rest of an answer to another method than HEAD. */
    public Answer readBody(Answer head) throws IOException {
        if (head.status() < 200 || head.status() == 204 || head.status() == 304) {
            return head;
        }
        if ("chunked".equals(head.header("transfer-encoding"))) {
            return new Answer(head.statusLine, head.headers, chunks(), fields());
        }
        String length = head.header("content-length");
        return new Answer(head.statusLine, head.headers,
                length != null ? in.readNBytes(Integer.parseInt(length)) : in.readAllBytes());
    }

    /** Reads a number of bytes of any protocol. */
    public String read(int length) throws IOException {
        return new String(in.readNBytes(length), StandardCharsets.ISO_8859_1);
    }

    private List<String> fields() throws IOException {
        var fields = new ArrayList<String>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            fields.add(line);
        }
        return fields;
    }

    private byte[] chunks() throws IOException {
        var all = new ByteArrayOutputStream();
        for (int size = chunkSize(); size > 0; size = chunkSize()) {
            all.write(in.readNBytes(size));
            line();
        }
        return all.toByteArray();
    }

    private int chunkSize() throws IOException {
        return Integer.parseInt(line(), 16);
    }

    private String line() throws IOException {
        var line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("the connection ended after: " + line);
            }
            line.write(b);
        }
        String text = line.toString(StandardCharsets.ISO_8859_1);
        if (!text.endsWith("\r")) {
            throw new AssertionError("a line without CR: " + text);
        }
        return text.substring(0, text.length() - 1);
    }

    /**
     * Returns whether the server has closed its side without further bytes; throws if it reset the
     * connection.
     */
    public boolean isClosed() throws IOException {
        return in.read() < 0;
    }

    public Socket socket() {
        return socket;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
