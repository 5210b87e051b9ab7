package io.sluice.gateway.proxy;

import io.sluice.gateway.RunningGateway;
import io.sluice.handlers.websocket.HandshakeKey;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** An origin server whose connections run the script of a test, each on a thread of its own. */
public final class ByteOrigin implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 30_000;
    private static final String KEY = "sec-websocket-key: ";

    private final ServerSocket listener;
    private final Script script;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger connections = new AtomicInteger();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    /** The script of a connection, which is closed at the script's end. */
    @FunctionalInterface
    public interface Script {
        void play(Connection connection) throws Exception;
    }

    private ByteOrigin(Script script, int port, int receiveBuffer) throws IOException {
        this.script = script;
        listener = new ServerSocket();
        if (receiveBuffer > 0) {
            listener.setReceiveBufferSize(receiveBuffer);
        }
        listener.bind(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        Thread.ofPlatform().daemon().start(this::accept);
    }

    public static ByteOrigin playing(Script script) throws IOException {
        return new ByteOrigin(script, 0, 0);
    }

    /** Starts a server with small socket buffers. */
    public static ByteOrigin withSmallBuffer(Script script) throws IOException {
        return new ByteOrigin(script, 0, 64 * 1024);
    }

    /** Returns a server that has stopped, and whose port no other one gets. */
    public static ByteOrigin gone() throws IOException {
        var origin = new ByteOrigin(_ -> { }, RunningGateway.freePort(), 0);
        origin.close();
        return origin;
    }

    /** Starts a server that answers each request of a connection with the same bytes, in Latin-1. */
    public static ByteOrigin answering(String bytes) throws IOException {
        return playing(connection -> {
            while (connection.request() != null) {
                connection.send(bytes);
            }
        });
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                connections.incrementAndGet();
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException _) {
                return; // the listener is closed
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.setTcpNoDelay(true);
            script.play(new Connection(socket));
        } catch (Exception _) {
            // the peer has closed or reset the connection, which the test checks by other means
        } finally {
            open.remove(socket);
        }
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** Returns the number of accepted connections. */
    public int connections() {
        return connections.get();
    }

    /** Returns the number of open connections. */
    public int open() {
        return open.size();
    }

    /** Returns the received requests, in Latin-1. */
    public List<String> requests() {
        return requests;
    }

    @Override
    public void close() throws IOException {
        closed.countDown();
        listener.close();
        for (Socket socket : open) {
            socket.close();
        }
    }

    /** A connection of the server. */
    public final class Connection {
        private final Socket socket;
        private final InputStream in;

        private Connection(Socket socket) throws IOException {
            this.socket = socket;
            in = new BufferedInputStream(socket.getInputStream());
        }

        public Socket socket() {
            return socket;
        }

        /** Reads a request with its body; returns null if the connection ends instead. */
        public String request() throws IOException {
            String head = readHead();
            if (head == null) {
                return null;
            }
            String whole = head + body(head);
            requests.add(whole);
            return whole;
        }

        /** Reads the head of a request, and leaves the body unread. */
        public String head() throws IOException {
            String head = readHead();
            if (head != null) {
                requests.add(head);
            }
            return head;
        }

        private String readHead() throws IOException {
            var head = new ByteArrayOutputStream();
            while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
                int b = in.read();
                if (b < 0) {
                    return null;
                }
                head.write(b);
            }
            return head.toString(StandardCharsets.ISO_8859_1);
        }

        private String body(String head) throws IOException {
            String fields = head.toLowerCase(Locale.ROOT);
            int length = fields.indexOf("\r\ncontent-length: ");
            if (fields.contains("\r\ntransfer-encoding: chunked\r\n")) {
                var body = new StringBuilder();
                while (!body.toString().endsWith("0\r\n\r\n")
                        && !body.toString().matches("(?s).*\r\n0\r\n([^\r\n]+\r\n)+\r\n")) {
                    body.append((char) in.read());
                }
                return body.toString();
            }
            return length < 0 ? "" : read(Integer.parseInt(
                    head.substring(length + 18, head.indexOf('\r', length + 2))));
        }

        /** Reads the head of a handshake for a WebSocket, and returns the 101 that accepts it. */
        public String accepted() throws IOException {
            String key = head().lines().filter(line -> line.toLowerCase(Locale.ROOT).startsWith(KEY))
                    .map(line -> line.substring(KEY.length())).findFirst().orElseThrow();
            return "HTTP/1.1 101 Yes\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                    + "Sec-WebSocket-Accept: " + HandshakeKey.accept(key) + "\r\n\r\n";
        }

        /** Reads a number of bytes. */
        public String read(int bytes) throws IOException {
            return new String(in.readNBytes(bytes), StandardCharsets.ISO_8859_1);
        }

        /** Reads to the end, and returns the number of bytes. Throws if the connection is reset. */
        public long drain() throws IOException {
            return in.transferTo(java.io.OutputStream.nullOutputStream());
        }

        public Connection send(String latin1) throws IOException {
            return send(latin1.getBytes(StandardCharsets.ISO_8859_1));
        }

        public Connection send(byte[] bytes) throws IOException {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
            return this;
        }

        /** Holds the connection open until the server closes. */
        public void hold() throws InterruptedException {
            closed.await();
        }

        /** Closes the connection with RST. */
        public void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }
    }
}
