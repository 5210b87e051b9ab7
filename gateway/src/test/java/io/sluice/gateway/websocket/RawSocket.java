package io.sluice.gateway.websocket;

import io.sluice.gateway.RawClient.Answer;
import io.sluice.gateway.tunnel.Http;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;

/** A WebSocket client that sends any bytes, and checks each frame that it receives. */
final class RawSocket implements AutoCloseable {
    static final String KEY = "dGhlIHNhbXBsZSBub25jZQ==";
    static final String DEFLATE = "Sec-WebSocket-Extensions: permessage-deflate\r\n";

    private static final String HANDSHAKE = "GET %s HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
            + "Connection: Upgrade\r\nSec-WebSocket-Key: " + KEY + "\r\nSec-WebSocket-Version: 13\r\n%s\r\n";
    private static final int TIMEOUT_MILLIS = 60_000;

    private final Socket socket;
    private DataInputStream in;

    /** A frame of the server. */
    record Frame(int first, byte[] payload) {
        int opcode() {
            return first & 0x0F;
        }

        boolean isCompressed() {
            return (first & ClientFrame.COMPRESSED) != 0;
        }

        String text() {
            return new String(payload, StandardCharsets.UTF_8);
        }

        /** Returns the close code; 1005 if the frame has none, -1 if it is no close. */
        int closeCode() {
            return opcode() != Opcode.CLOSE ? -1
                    : payload.length == 0 ? 1005 : (payload[0] & 0xFF) << 8 | payload[1] & 0xFF;
        }

        String closeReason() {
            return new String(payload, 2, payload.length - 2, StandardCharsets.UTF_8);
        }
    }

    private RawSocket(Socket socket) {
        this.socket = socket;
    }

    /** Wraps a connected socket. */
    static RawSocket over(Socket connected) throws IOException {
        var raw = new RawSocket(connected);
        raw.listen();
        return raw;
    }

    /** Connects without a handshake. */
    static RawSocket connect(int port) throws IOException {
        return over(Http.HTTP_1_1.connect(port, 0));
    }

    private void listen() throws IOException {
        socket.setSoTimeout(TIMEOUT_MILLIS);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    }

    /** Opens a WebSocket. Further headers end with CRLF each. */
    static RawSocket open(int port, String path, String... headers) throws IOException {
        return open(Http.HTTP_1_1, port, path, headers);
    }

    /** Opens a WebSocket by a version of HTTP. Further headers end with CRLF each. */
    static RawSocket open(Http http, int port, String path, String... headers) throws IOException {
        return over(http.connect(port, 0)).upgrade(path, headers);
    }

    RawSocket upgrade(String path, String... headers) throws IOException {
        send(handshake(path, headers));
        requireUpgraded();
        return this;
    }

    Answer requireUpgraded() throws IOException {
        Answer answer = readAnswer();
        if (answer.status() != 101 && answer.status() != 200) {
            throw new AssertionError(answer.statusLine() + ' ' + answer.headers() + ' ' + answer.body());
        }
        return answer;
    }

    static byte[] handshake(String path, String... headers) {
        return HANDSHAKE.formatted(path, String.join("", headers)).getBytes(StandardCharsets.ISO_8859_1);
    }

    RawSocket send(byte[]... parts) throws IOException {
        socket.getOutputStream().write(ClientFrame.join(parts));
        return this;
    }

    RawSocket send(String latin1) throws IOException {
        return send(latin1.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Reads the answer to an HTTP request. */
    Answer readAnswer() throws IOException {
        String status = line();
        var headers = new ArrayList<String>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            headers.add(line);
        }
        String length = new Answer(status, headers, null).header("content-length");
        byte[] content = in.readNBytes(length == null ? 0 : Integer.parseInt(length));
        return new Answer(status, headers, content);
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("the connection ended after: " + line);
            }
            line.append((char) b);
        }
        return line.toString().stripTrailing();
    }

    /** Reads a frame; fails if a server must not send it. */
    Frame read() throws IOException {
        int first = in.readUnsignedByte();
        int second = in.readUnsignedByte();
        long length = second == 126 ? in.readUnsignedShort() : second == 127 ? in.readLong() : second;
        boolean odd = (first & 0x80) == 0 || (first & 0x30) != 0 || !Opcode.isKnown(first & 0x0F)
                || (second & 0x80) != 0 || length < (second == 127 ? 65_536 : second == 126 ? 126 : 0);
        if (odd) {
            throw new AssertionError("a frame that begins %02x %02x".formatted(first, second));
        }
        byte[] payload = new byte[(int) length];
        in.readFully(payload);
        return new Frame(first, payload);
    }

    /** Returns true if the server has closed the connection without further bytes; false if it was reset. */
    boolean isClosed() throws IOException {
        try {
            int read = in.read();
            if (read >= 0) {
                throw new AssertionError("%02x, and not the end".formatted(read));
            }
            return true;
        } catch (SocketException e) {
            return false;
        }
    }

    /** Returns all bytes until the connection is closed or reset. */
    byte[] readAll() {
        byte[] all = new byte[0];
        byte[] some = new byte[8192];
        try {
            for (int n = in.read(some); n >= 0; n = in.read(some)) {
                all = ClientFrame.join(all, Arrays.copyOf(some, n));
            }
        } catch (IOException e) {
            return all;
        }
        return all;
    }

    /** Resets the connection. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    Socket socket() {
        return socket;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
