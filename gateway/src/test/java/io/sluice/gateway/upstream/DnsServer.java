package io.sluice.gateway.upstream;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;

/** A DNS server on loopback that answers every name with the same addresses (RFC 1035). */
final class DnsServer implements AutoCloseable {
    static final int A = 1;
    private static final int AAAA = 28;
    private static final int SERVER_FAILURE = 2;
    private static final int HEADER = 12;

    private final DatagramSocket socket;
    private final AtomicInteger queries = new AtomicInteger();
    private volatile List<String> addresses;
    private volatile int seconds = 1;
    private volatile IntPredicate failing = _ -> false;

    DnsServer(String... addresses) throws IOException {
        this.addresses = List.of(addresses);
        socket = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Thread.ofVirtual().start(this::serve);
    }

    int port() {
        return socket.getLocalPort();
    }

    int queries() {
        return queries.get();
    }

    void addresses(String... now) {
        addresses = List.of(now);
    }

    void timeToLive(int now) {
        seconds = now;
    }

    void failing(boolean now) {
        failing = _ -> now;
    }

    /** Lets queries for records of a type fail. */
    void failing(int type) {
        failing = of -> of == type;
    }

    private void serve() {
        var packet = new DatagramPacket(new byte[1500], 1500);
        try {
            while (true) {
                packet.setLength(1500);
                socket.receive(packet);
                queries.incrementAndGet();
                byte[] answer = answer(Arrays.copyOf(packet.getData(), packet.getLength()));
                socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
            }
        } catch (IOException e) { // the socket is closed
        }
    }

    private byte[] answer(byte[] query) throws IOException {
        int end = HEADER;
        while (query[end] != 0) {
            end += query[end] + 1;
        }
        end += 5; // the root label, type and class
        int type = query[end - 3];
        int size = type == A ? 4 : 16;
        boolean fails = failing.test(type);
        List<byte[]> found = fails || type != A && type != AAAA ? List.of() : addresses.stream()
                .map(DnsServer::bytes).filter(bytes -> bytes.length == size).toList();
        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        out.write(query, 0, 2);
        out.writeShort(0x8180 | (fails ? SERVER_FAILURE : 0));
        out.writeShort(1);
        out.writeShort(found.size());
        out.writeInt(0);
        out.write(query, HEADER, end - HEADER);
        for (byte[] address : found) {
            out.writeShort(0xC000 | HEADER); // a pointer to the name in the question
            out.writeShort(type);
            out.writeShort(1);
            out.writeInt(seconds);
            out.writeShort(address.length);
            out.write(address);
        }
        return bytes.toByteArray();
    }

    private static byte[] bytes(String address) {
        try {
            return InetAddress.getByName(address).getAddress();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
