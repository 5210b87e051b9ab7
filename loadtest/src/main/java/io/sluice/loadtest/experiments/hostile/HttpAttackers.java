package io.sluice.loadtest.experiments.hostile;

import io.sluice.loadtest.experiments.wire.Attacker;
import io.sluice.loadtest.experiments.wire.HttpAnswer;
import io.sluice.loadtest.experiments.wire.Wire;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;

/** Attacks by HTTP/1.1. */
final class HttpAttackers {

    private static final int MEMBERS = 100_000;
    private static final int MESSAGE_BYTES = 1 << 20;
    private static final int PIPELINED = 1_000;
    private static final int CHUNKS = 10_000;
    private static final int INFLATED = 64 << 20;
    /** Less than the route's max-body. */
    private static final int UPLOADED = 255 << 20;
    /** The pause between the few bytes that a slow client sends or reads. */
    private static final long SLOW_MILLIS = 500;
    private static final int SLOW_READ = 16;
    private static final int FOR_EVER = Integer.MAX_VALUE;

    private HttpAttackers() {}

    /** Sends requests that cost the gateway more than the client. */
    static Attacker asking(String path, String... fields) {
        var request = request("GET", path, "Connection: close\r\n" + String.join("", fields));
        return wire -> {
            wire.send(request);
            wire.skipToEnd();
        };
    }

    /** Sends requests and does not read the responses. */
    static Attacker asksAndDoesNotRead(String path) {
        var request = request("GET", path, "");
        return wire -> {
            wire.send(request);
            TimeUnit.SECONDS.sleep(FOR_EVER);
        };
    }

    /** Sends a JSON object of 1 MiB that has 100,000 members, of which the route knows one. */
    static Attacker manyMembers(String path) {
        var json = IntStream.range(0, MEMBERS).mapToObj("\"%05d\":1"::formatted)
                .collect(Collectors.joining(",", "{", "}"));
        return posting("PUT", path, "application/json", json);
    }

    /** Publishes a text of almost 1 MiB that compresses well. */
    static Attacker largeMessages(String path) {
        return posting("POST", path, "text/plain", "sluice, ".repeat(MESSAGE_BYTES / 8 - 1));
    }

    /** Sends requests without awaiting the responses, which it drops. */
    static Attacker pipelining(String path) {
        return flooding(request("GET", path, "").repeat(PIPELINED));
    }

    /** Sends bodies of 10,000 chunks, and drops the responses. */
    static Attacker smallChunks(String path) {
        return chunks(path, "1\r\nx\r\n");
    }

    /** The same with an extension on each chunk, of a length that is allowed without end. */
    static Attacker chunkExtensions(String path) {
        return chunks(path, "1;a=b\r\nx\r\n");
    }

    private static Attacker chunks(String path, String chunk) {
        return flooding(request("PUT", path, "Transfer-Encoding: chunked\r\n")
                + chunk.repeat(CHUNKS) + "0\r\n\r\n");
    }

    private static Attacker flooding(String requests) {
        var bytes = requests.getBytes(StandardCharsets.US_ASCII);
        return wire -> {
            while (true) {
                wire.send(bytes);
                wire.skipAvailable();
            }
        };
    }

    private static Attacker posting(String method, String path, String type, String body) {
        return posting(method, path, "Content-Type: %s\r\n".formatted(type),
                body.getBytes(StandardCharsets.US_ASCII));
    }

    private static Attacker posting(String method, String path, String fields, byte[] body) {
        var request = new ByteArrayOutputStream();
        request.writeBytes(request(method, path, "%sContent-Length: %d\r\n".formatted(fields, body.length))
                .getBytes(StandardCharsets.US_ASCII));
        request.writeBytes(body);
        var bytes = request.toByteArray();
        return wire -> {
            for (var keepAlive = true; keepAlive;) {
                wire.send(bytes);
                keepAlive = HttpAnswer.read(wire).keepAlive();
            }
        };
    }

    /** Sends bodies of a few hundred bytes that inflate to 64 MiB, by two codings. */
    static Attacker bombs(String path) {
        return posting("PUT", path, "Content-Encoding: gzip, gzip\r\n", gzip(gzip(new byte[INFLATED])));
    }

    private static byte[] gzip(byte[] bytes) {
        var coded = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(coded)) {
            out.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // cannot happen in memory
        }
        return coded.toByteArray();
    }

    /** Sends a body of many rows, all but its last byte, as fast as the gateway takes it. */
    static Attacker unfinishedUpload(String path) {
        var head = request("POST", path, "Content-Type: application/x-ndjson\r\nContent-Length: %d\r\n"
                .formatted(UPLOADED + 1));
        var blank = " ".repeat(MESSAGE_BYTES).getBytes(StandardCharsets.US_ASCII);
        return wire -> {
            wire.send(head);
            for (int sent = 0; sent < UPLOADED; sent += blank.length) {
                wire.send(blank);
            }
            wire.skipToEnd();
        };
    }

    /** Connects and sends nothing. */
    static Attacker silence() {
        return Wire::skipToEnd;
    }

    /** Sends a request head that never ends. */
    static Attacker slowHead(String path) {
        return slowly("GET %s HTTP/1.1\r\nHost: localhost\r\n".formatted(path), "X-Slow: still\r\n");
    }

    /** Sends a body of a megabyte, a few bytes at a time. */
    static Attacker slowBody(String path) {
        return slowly(request("PUT", path, "Content-Length: 1000000\r\n"), "0123456789");
    }

    private static Attacker slowly(String first, String more) {
        return wire -> {
            wire.send(first);
            while (true) {
                TimeUnit.MILLISECONDS.sleep(SLOW_MILLIS);
                wire.send(more);
            }
        };
    }

    /** Reads a response a few bytes at a time. */
    static Attacker slowRead(String path) {
        var request = request("GET", path, "");
        return wire -> {
            wire.send(request);
            while (true) {
                TimeUnit.MILLISECONDS.sleep(SLOW_MILLIS);
                wire.read(SLOW_READ);
            }
        };
    }

    private static String request(String method, String path, String fields) {
        return "%s %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n".formatted(method, path, fields);
    }
}
