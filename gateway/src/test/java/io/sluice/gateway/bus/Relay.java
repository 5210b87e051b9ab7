package io.sluice.gateway.bus;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** A TCP relay to a server. Its port stays the same after it has been stopped. */
final class Relay {
    private final InetSocketAddress server;
    private final List<Socket> open = new ArrayList<>();
    private final int port;
    private ServerSocket listener;

    Relay(InetSocketAddress server) throws IOException {
        this.server = server;
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        port = listener.getLocalPort();
        accept(listener);
    }

    int port() {
        return port;
    }

    synchronized void start() throws IOException {
        var again = new ServerSocket();
        again.setReuseAddress(true);
        again.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        listener = again;
        accept(again);
    }

    synchronized void stop() throws IOException {
        listener.close();
        for (Socket socket : open) {
            socket.close();
        }
        open.clear();
    }

    private void accept(ServerSocket from) {
        Thread.ofVirtual().start(() -> {
            while (!from.isClosed()) {
                try {
                    Socket client = from.accept();
                    var there = new Socket(server.getAddress(), server.getPort());
                    synchronized (this) {
                        open.add(client);
                        open.add(there);
                        if (from.isClosed()) {
                            client.close();
                        }
                    }
                    copy(client, there);
                    copy(there, client);
                } catch (IOException e) {
                    // the relay or the server is stopped
                }
            }
        });
    }

    private static void copy(Socket from, Socket to) {
        Thread.ofVirtual().start(() -> {
            try (from; to) {
                from.getInputStream().transferTo(to.getOutputStream());
            } catch (IOException e) {
                // one of the connections has ended
            }
        });
    }
}
