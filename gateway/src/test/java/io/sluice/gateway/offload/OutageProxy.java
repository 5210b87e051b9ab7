package io.sluice.gateway.offload;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;

/** A TCP proxy that simulates outages of the database behind it. */
final class OutageProxy implements AutoCloseable {
    private final InetSocketAddress upstream;
    private final int port;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private final Queue<Long> accepted = new ConcurrentLinkedQueue<>();
    private ServerSocket listener;
    private volatile Outage outage;

    /** A client's connection with its connection to the database, which is null at first. */
    private final class Link {
        private final Socket client;
        /** Bytes that arrived during a freeze, to be passed on afterwards. */
        private final ByteArrayOutputStream keptForServer = new ByteArrayOutputStream();
        private final ByteArrayOutputStream keptForClient = new ByteArrayOutputStream();
        private Socket server;
        private volatile boolean lost;

        Link(Socket client) {
            this.client = client;
        }

        void serveClient() {
            try {
                goOn();
                InputStream in = client.getInputStream();
                byte[] buffer = new byte[16 * 1024];
                for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                    keep(keptForServer, buffer, length);
                }
            } catch (IOException e) {
                // one of the connections has ended
            } finally {
                close();
            }
        }

        private void serveServer(Socket from) {
            try {
                InputStream in = from.getInputStream();
                byte[] buffer = new byte[16 * 1024];
                for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                    keep(keptForClient, buffer, length);
                }
            } catch (IOException e) {
                // one of the connections has ended
            } finally {
                if (!lost) {
                    close();
                }
            }
        }

        private synchronized void keep(ByteArrayOutputStream kept, byte[] bytes, int length)
                throws IOException {
            kept.write(bytes, 0, length);
            goOn();
        }

        /** Passes on the held bytes, unless the outage forbids it. */
        synchronized void goOn() throws IOException {
            if (lost || outage == Outage.FROZEN || client.isClosed()) {
                return;
            }
            if (server == null) {
                Socket connected = new Socket(upstream.getAddress(), upstream.getPort());
                connected.setTcpNoDelay(true);
                server = connected;
                Thread.ofPlatform().daemon().start(() -> serveServer(connected));
            }
            keptForServer.writeTo(server.getOutputStream());
            keptForServer.reset();
            keptForClient.writeTo(client.getOutputStream());
            keptForClient.reset();
        }

        void reset() {
            try {
                client.setSoLinger(true, 0);
            } catch (IOException e) {
                // closed already
            }
            close();
        }

        private synchronized void close() {
            links.remove(this);
            closeQuietly(client);
            if (server != null) {
                closeQuietly(server);
            }
        }
    }

    /** Starts the proxy of the database at this address. */
    OutageProxy(InetSocketAddress upstream) throws IOException {
        this.upstream = upstream;
        port = listen();
    }

    /**
     * Chooses a port below the ephemeral ones. A client could get one of those while the proxy does not
     * listen.
     */
    private int listen() throws IOException {
        while (true) {
            try {
                return listen(ThreadLocalRandom.current().nextInt(10_000, 30_000));
            } catch (BindException e) {
                // the port is taken: another one
            }
        }
    }

    private int listen(int atPort) throws IOException {
        var socket = new ServerSocket();
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), atPort), 200);
        listener = socket;
        Thread.ofPlatform().daemon().start(() -> accept(socket));
        return socket.getLocalPort();
    }

    private void accept(ServerSocket socket) {
        try {
            while (true) {
                var link = new Link(socket.accept());
                link.client.setTcpNoDelay(true);
                accepted.add(System.nanoTime());
                begin(link);
            }
        } catch (IOException e) {
            // the listener is closed
        }
    }

    private synchronized void begin(Link link) {
        link.lost = outage == Outage.LOST;
        if (outage == Outage.CUT) {
            link.reset();
        } else {
            links.add(link);
            Thread.ofPlatform().daemon().start(link::serveClient);
        }
    }

    synchronized void begin(Outage kind) {
        outage = kind;
        switch (kind) {
            case REFUSED -> {
                closeQuietly(listener);
                new ArrayList<>(links).forEach(Link::reset);
            }
            case CUT -> new ArrayList<>(links).forEach(Link::reset);
            case LOST -> links.forEach(link -> link.lost = true);
            case FROZEN -> { }
        }
    }

    synchronized void end() {
        boolean refused = outage == Outage.REFUSED;
        outage = null;
        try {
            if (refused) {
                listen(port);
            }
            for (Link link : new ArrayList<>(links)) {
                link.goOn();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return port;
    }

    /** Returns the number of connections that clients hold open. */
    int open() {
        return links.size();
    }

    /** Returns the times at which connections were accepted, on the clock of {@link System#nanoTime()}. */
    Queue<Long> accepted() {
        return accepted;
    }

    @Override
    public synchronized void close() {
        closeQuietly(listener);
        new ArrayList<>(links).forEach(Link::reset);
    }

    private static void closeQuietly(AutoCloseable socket) {
        try {
            socket.close();
        } catch (Exception e) {
            // the connection is ended deliberately
        }
    }
}
