package io.sluice.gateway.warmup;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;

/** A warm-up client for HTTP/1.1, which can open a WebSocket. */
final class WarmUpHttp1Client extends WarmUpClient {
    private static final String LENGTH = "content-length:";

    WarmUpHttp1Client(int port) {
        super(port);
    }

    @Override
    void greet() {
        // HTTP/1.1 has no preface
    }

    @Override
    int exchange(WarmUpRequest request) throws IOException {
        send(request.http1());
        return answer();
    }

    private int answer() throws IOException {
        int status = Integer.parseInt(line(in()).split(" ")[1]);
        long length = status == 101 ? 0 : -1;
        boolean last = false;
        for (String line = line(in()); !line.isEmpty(); line = line(in())) {
            String field = line.toLowerCase(Locale.ROOT);
            last |= field.equals("connection: close");
            if (field.startsWith(LENGTH)) {
                length = Long.parseLong(field.substring(LENGTH.length()).strip());
            }
        }
        if (length < 0) {
            throw new IOException("a response without a length");
        }
        in().skipNBytes(length);
        if (last) {
            close();
        }
        return status;
    }

    private static String line(InputStream in) throws IOException {
        var line = new StringBuilder(64);
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the connection ended within a response");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    /** Opens a WebSocket; after that, only {@link #frame} may be called. */
    void upgrade(byte[] handshake) throws IOException {
        connect();
        send(handshake);
        answer();
    }

    /**
     * Sends a frame (RFC 6455 section 5.2) and reads the reply.
     *
     * @param answer the length of the reply in bytes
     */
    void frame(byte[] frame, int answer) throws IOException {
        send(frame);
        in().skipNBytes(answer);
    }
}
