package io.sluice.gateway.limits;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Clients that send as much as the server accepts, and never read. */
public final class StubbornClients implements AutoCloseable {
    private static final int SEND_BUFFER = 1 << 16;

    private final List<SocketChannel> clients = new ArrayList<>();
    private final List<ByteBuffer[]> left = new ArrayList<>();

    /** Connects a number of clients, which all send the same bytes until no write succeeds for a while. */
    public StubbornClients(int port, int count, byte[]... bytes) throws IOException, InterruptedException {
        this(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), count, bytes);
    }

    /** Does the same with a server that need not be on this machine. */
    public StubbornClients(InetSocketAddress server, int count, byte[]... bytes)
            throws IOException, InterruptedException {
        for (int i = 0; i < count; i++) {
            SocketChannel client = SocketChannel.open();
            client.socket().setReceiveBufferSize(4096);
            // Otherwise the kernel may keep 2 MiB of each client, and become slow for all tests beyond 1 GiB.
            client.socket().setSendBufferSize(SEND_BUFFER);
            client.connect(server);
            client.configureBlocking(false);
            clients.add(client);
            left.add(List.of(bytes).stream().map(ByteBuffer::wrap).toArray(ByteBuffer[]::new));
        }
        sendMore();
    }

    /** Sends more, since buffers on the way may have room again. */
    public void sendMore() throws InterruptedException {
        for (int idle = 0; idle < 20; idle++) {
            for (int i = 0; i < clients.size(); i++) {
                if (send(clients.get(i), left.get(i)) > 0) {
                    idle = 0;
                }
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    private static long send(SocketChannel client, ByteBuffer[] left) {
        try {
            return client.isOpen() ? client.write(left) : 0;
        } catch (IOException e) {
            return 0; // the server has closed the connection
        }
    }

    @Override
    public void close() throws IOException {
        for (SocketChannel client : clients) {
            client.close();
        }
    }
}
