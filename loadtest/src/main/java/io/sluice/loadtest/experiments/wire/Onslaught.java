package io.sluice.loadtest.experiments.wire;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * An attack from one address by several squads at the same time, each client on a virtual thread. A client
 * whose connection is closed reconnects after 20 ms. It runs until it is closed.
 */
public final class Onslaught implements AutoCloseable {

    /** The address of all attackers; neighbours have others. */
    public static final String ADDRESS = "127.0.0.66";

    private static final long PAUSE_MILLIS = 20;

    private final int port;
    private final Traffic traffic = new Traffic();
    private final LongAdder connections = new LongAdder();
    private final LongAdder cutOff = new LongAdder();
    private final Set<Wire> open = ConcurrentHashMap.newKeySet();
    private final List<Thread> clients = new ArrayList<>();
    private volatile boolean over;

    private Onslaught(int port) {
        this.port = port;
    }

    /** Starts an attack on a port of this machine. */
    public static Onslaught of(int port, List<Squad> squads) {
        var onslaught = new Onslaught(port);
        for (var squad : squads) {
            for (int n = 0; n < squad.clients(); n++) {
                onslaught.clients.add(Thread.ofVirtual().name("attacker").start(() -> onslaught.run(squad)));
            }
        }
        return onslaught;
    }

    private void run(Squad squad) {
        try {
            while (!over) {
                visit(squad);
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS); // between two connections
            }
        } catch (InterruptedException _) {
            // the attack has ended
        }
    }

    private void visit(Squad squad) throws InterruptedException {
        try (var wire = Wire.open(ADDRESS, port, squad.receiveBuffer(), traffic)) {
            open.add(wire);
            connections.increment();
            try {
                if (!over) {
                    squad.attacker().attack(wire);
                }
            } finally {
                open.remove(wire);
                if (!over) {
                    cutOff.increment();
                }
            }
        } catch (IOException _) {
            // rejected, or closed by the server
        }
    }

    /** The bytes that the attackers have sent so far. */
    public long sentBytes() {
        return traffic.sent();
    }

    long receivedBytes() {
        return traffic.received();
    }

    /** The number of connections that were opened. */
    public long connections() {
        return connections.sum();
    }

    /** The number of connections that ended before the attack did. */
    public long cutOff() {
        return cutOff.sum();
    }

    /** Ends the attack; blocks until its connections are closed. */
    @Override
    public void close() throws IOException {
        over = true;
        for (var wire : open) {
            wire.close();
        }
        try {
            for (var client : clients) {
                client.interrupt();
                client.join();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
