package io.sluice.loadtest.experiments.hostile;

import io.sluice.loadtest.experiments.driver.Frames;
import io.sluice.loadtest.experiments.site.TargetSite;
import io.sluice.loadtest.experiments.wire.Attacker;
import io.sluice.loadtest.experiments.wire.WebSocketWire;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Attacks by WebSockets. */
final class SocketAttackers {

    private static final int ONES = 510_000;
    private static final int BOMBS = 20;
    private static final int ANSWERS = 300;
    private static final int FRAMES = 10_000;
    private static final int INFLATED = 1_000_000;

    private SocketAttackers() {}

    /** Sends queries of 510,000 members, each 1 kB after compression. */
    static Attacker queryBombs() {
        var bomb = Frames.deflated("{\"path\":\"%s\",\"query\":{\"a\":[1%s]}}"
                .formatted(TargetSite.HELLO, ",1".repeat(ONES - 1)));
        return asking(TargetSite.WS_RPC, bomb, BOMBS, true);
    }

    /** Requests 300 responses of 800 kB, repeatedly. */
    static Attacker largeAnswers() {
        var request = Frames.frame(Frames.TEXT, "{\"path\":\"%s\"}".formatted(TargetSite.DOCUMENTS)
                .getBytes(StandardCharsets.UTF_8));
        return asking(TargetSite.WS_RPC, request, ANSWERS, false);
    }

    /** Sends messages of 1 MB, each 1 kB after compression, which come back. */
    static Attacker inflatingMessages() {
        return asking(TargetSite.WS_ECHO, Frames.deflated("x".repeat(INFLATED)), BOMBS, true);
    }

    private static Attacker asking(String path, byte[] request, int atOnce, boolean deflate) {
        return wire -> {
            var socket = WebSocketWire.open(wire, path, deflate);
            while (true) {
                for (int n = 0; n < atOnce; n++) {
                    socket.send(request);
                }
                for (int n = 0; n < atOnce; n++) {
                    socket.message();
                }
            }
        };
    }

    /** Sends empty pings and pongs as fast as the gateway accepts them. */
    static Attacker controlFrames() {
        var frames = new ByteArrayOutputStream();
        for (int n = 0; n < FRAMES; n++) {
            frames.writeBytes(Frames.frame(Frames.PING, new byte[0]));
            frames.writeBytes(Frames.frame(Frames.PONG, new byte[0]));
        }
        return flooding(TargetSite.WS_RPC, frames);
    }

    /** Sends messages in fragments of one byte as fast as the gateway accepts them. */
    static Attacker fragments() {
        byte[] letter = {'x'};
        var frames = new ByteArrayOutputStream();
        frames.writeBytes(Frames.fragment(Frames.TEXT, letter));
        for (int n = 0; n < FRAMES; n++) {
            frames.writeBytes(Frames.fragment(Frames.CONTINUATION, letter));
        }
        frames.writeBytes(Frames.frame(Frames.CONTINUATION, letter));
        return flooding(TargetSite.WS_ECHO, frames);
    }

    private static Attacker flooding(String path, ByteArrayOutputStream frames) {
        return wire -> {
            var socket = WebSocketWire.open(wire, path, false);
            while (true) {
                socket.send(frames.toByteArray());
                wire.skipAvailable();
            }
        };
    }

    /** Subscribes to the topic, with compression. */
    static Attacker subscriber() {
        return wire -> {
            WebSocketWire.open(wire, TargetSite.SUBSCRIBE, true);
            wire.skipToEnd();
        };
    }
}
