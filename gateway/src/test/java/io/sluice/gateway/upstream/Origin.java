package io.sluice.gateway.upstream;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** An origin server with a virtual thread for each connection, which answers with its name. */
final class Origin implements AutoCloseable {
    private static final int PROXY_HEADER = 16;

    private final String name;
    private final Answers answers;
    private final ServerSocket listener;
    private final boolean afterProxyHeader;
    private final AtomicInteger connections = new AtomicInteger();
    private final Queue<String> heads = new ConcurrentLinkedQueue<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    /** The answers of a server. */
    @FunctionalInterface
    interface Answers {
        /** Returns the body for the head of a request. Null closes the connection, a number is a status. */
        String to(String head) throws InterruptedException;
    }

    /** Starts a server at an address of this machine. */
    Origin(String name, String address, int port, boolean afterProxyHeader, Answers answers)
            throws IOException {
        this.name = name;
        this.answers = answers;
        this.afterProxyHeader = afterProxyHeader;
        listener = new ServerSocket();
        listener.setReuseAddress(true);
        listener.bind(new InetSocketAddress(InetAddress.getByName(address), port), 1000);
        Thread.ofPlatform().daemon().start(this::accept);
    }

    /** Starts a server at 127.0.0.1. */
    static Origin start(String name, Answers answers) throws IOException {
        return new Origin(name, "127.0.0.1", 0, false, answers);
    }

    /** Starts a server that answers with its name. */
    static Origin start(String name) throws IOException {
        return start(name, _ -> name);
    }

    int port() {
        return listener.getLocalPort();
    }

    String url() {
        return "http://" + listener.getInetAddress().getHostAddress() + ':' + port();
    }

    int connections() {
        return connections.get();
    }

    int openConnections() {
        return open.size();
    }

    /** Returns the heads of all requests, each behind its PROXY header in hex, if there is one. */
    List<String> heads() {
        return List.copyOf(heads);
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                connections.incrementAndGet();
                open.add(socket);
                Thread.ofVirtual().name(name).start(() -> serve(socket));
            }
        } catch (IOException e) { // the listener is closed
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            var in = new BufferedInputStream(socket.getInputStream());
            String proxy = afterProxyHeader ? proxyHeader(in) : "";
            for (String head = head(in); head != null; head = head(in)) {
                heads.add(proxy + head);
                String body = answers.to(head);
                if (body == null) {
                    socket.setSoLinger(true, 0);
                    return;
                }
                String status = body.matches("[1-5][0-9]{2}") ? body : "200";
                socket.getOutputStream().write("HTTP/1.1 %s X\r\nContent-Length: %d\r\n\r\n%s"
                        .formatted(status, body.length(), body).getBytes(StandardCharsets.ISO_8859_1));
            }
        } catch (IOException e) { // the connection is closed
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(socket);
        }
    }

    private static String proxyHeader(InputStream in) throws IOException {
        byte[] fixed = in.readNBytes(PROXY_HEADER);
        int length = fixed.length < PROXY_HEADER ? 0 : (fixed[14] & 0xFF) << 8 | fixed[15] & 0xFF;
        byte[] rest = in.readNBytes(length);
        return java.util.HexFormat.of().formatHex(fixed) + java.util.HexFormat.of().formatHex(rest) + '\n';
    }

    private static String head(InputStream in) throws IOException {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                return null;
            }
            head.append((char) next);
        }
        return head.toString();
    }

    @Override
    public void close() {
        try {
            listener.close();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
