package io.sluice.loadtest.experiments.nodes;

import io.sluice.loadtest.experiments.wire.Traffic;
import io.sluice.loadtest.experiments.wire.WebSocketWire;
import io.sluice.loadtest.experiments.wire.Wire;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A client that follows a topic by a WebSocket or an event stream, on a virtual thread. When its connection
 * ends, it connects to the next gateway with the last position that it has seen.
 */
final class Follower implements AutoCloseable {

    private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]*)\"");
    private static final Pattern DATA = Pattern.compile("\"data\":\"([^\"]*)\"");
    private static final String RESYNC = "\"resync\":true";
    private static final int MIN_PAUSE_MILLIS = 50;
    private static final int MAX_PAUSE_MILLIS = 500;

    private final IntUnaryOperator ports;
    private final boolean events;
    private final FollowedTopic followed;
    private final Thread thread;
    private int node;
    private volatile boolean closed;
    private volatile @Nullable Wire wire;

    /**
     * Starts at once.
     *
     * @param ports the port of the gateway of a number, from 0 on; numbers beyond the last begin anew
     * @param first the number of the gateway that it connects to first
     * @param events whether it reads an event stream
     */
    Follower(IntUnaryOperator ports, int first, boolean events, FollowedTopic followed) {
        this.ports = ports;
        node = first;
        this.events = events;
        this.followed = followed;
        thread = Thread.ofVirtual().name("follower").start(this::run);
    }

    FollowedTopic followed() {
        return followed;
    }

    private void run() {
        try {
            while (!closed) {
                try (var opened = Wire.open("127.0.0.1", ports.applyAsInt(node), 0, new Traffic())) {
                    wire = opened;
                    if (events) {
                        readEvents(opened);
                    } else {
                        readSocket(opened);
                    }
                } catch (IOException _) {
                    // it connects to the next one
                }
                followed.disconnected();
                node++;
                TimeUnit.MILLISECONDS.sleep(
                        ThreadLocalRandom.current().nextLong(MIN_PAUSE_MILLIS, MAX_PAUSE_MILLIS));
            }
        } catch (InterruptedException _) {
            // it is closed
        }
    }

    private void readSocket(Wire opened) throws IOException {
        var socket = WebSocketWire.open(opened, "/ws/topics/%s?after=%s"
                .formatted(followed.topic(), followed.position()), false);
        while (!closed) {
            var message = new String(socket.message(), StandardCharsets.UTF_8);
            followed.take(find(ID, message), find(DATA, message), message.contains(RESYNC));
        }
    }

    private static @Nullable String find(Pattern pattern, String message) {
        var matcher = pattern.matcher(message);
        return matcher.find() ? matcher.group(1) : null;
    }

    /** Reads an event stream by HTTP/1.0, which ends with its connection and has no chunks. */
    private void readEvents(Wire opened) throws IOException {
        var position = followed.position();
        opened.send("GET /events/%s%s HTTP/1.0\r\nHost: localhost\r\nAccept: text/event-stream\r\n%s\r\n"
                .formatted(followed.topic(), position.isEmpty() ? "?after=" : "",
                        position.isEmpty() ? "" : "Last-Event-ID: " + position + "\r\n"));
        var status = opened.line();
        while (!opened.line().isEmpty()) {
            // a header
        }
        if (!status.contains(" 200 ")) {
            throw new IOException(status);
        }
        String id = null;
        String data = null;
        boolean resync = false;
        while (!closed) {
            var line = opened.line();
            if (line.startsWith("id: ")) {
                id = line.substring("id: ".length());
            } else if (line.startsWith("data: ")) {
                data = line.substring("data: ".length());
            } else if (line.equals("event: resync")) {
                resync = true;
            } else if (line.isEmpty() && id != null) {
                followed.take(id, resync ? null : data, resync);
                id = null;
                data = null;
                resync = false;
            }
        }
    }

    /** Ends it; does not wait. */
    @Override
    public void close() {
        closed = true;
        var open = wire;
        if (open != null) {
            try {
                open.close();
            } catch (IOException _) {
                // it is closed
            }
        }
        thread.interrupt();
    }
}
