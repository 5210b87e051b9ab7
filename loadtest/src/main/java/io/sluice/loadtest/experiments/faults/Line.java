package io.sluice.loadtest.experiments.faults;

import io.sluice.loadtest.experiments.site.TargetSite;
import io.sluice.loadtest.experiments.wire.Traffic;
import io.sluice.loadtest.experiments.wire.WebSocketWire;
import io.sluice.loadtest.experiments.wire.Wire;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One connection of the balancer to a gateway, with one request at a time, for HTTP or for a WebSocket. */
final class Line implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Wire wire;
    private @Nullable WebSocketWire socket;
    private boolean reusable;

    private Line(Wire wire) {
        this.wire = wire;
    }

    /** Connects, and opens a WebSocket if one is needed; blocks. */
    static Line open(String from, int port, boolean socket) throws IOException {
        var line = new Line(Wire.open(from, port, 0, new Traffic()).patience(PATIENCE));
        try {
            if (socket) {
                line.socket = WebSocketWire.open(line.wire, TargetSite.WS_ECHO, false);
            }
            return line;
        } catch (IOException e) {
            line.close();
            throw e;
        }
    }

    Wire wire() {
        return wire;
    }

    @Nullable WebSocketWire socket() {
        return socket;
    }

    /** Notes after a response whether the connection can be used again. */
    void reusable(boolean reusable) {
        this.reusable = reusable;
    }

    boolean reusable() {
        return reusable;
    }

    @Override
    public void close() throws IOException {
        wire.close();
    }
}
