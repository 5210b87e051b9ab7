package io.sluice.gateway.net;

import static org.awaitility.Awaitility.await;

import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Kinds of slow clients, each with the statuses of its answers. */
enum SlowClient {
    SILENT("", ""),
    HALF_A_FIRST_HEAD("GET /hello HTTP/1.1\r\nHost:", "408"),
    TRICKLES_A_FIRST_HEAD("", "408") {
        @Override
        void act(RawClient client, HandlerServer server) throws Exception {
            trickle(client, server, "GET /hello HTTP/1.1\r\nHost: " + "x".repeat(500), 10);
        }
    },
    HALF_A_REQUEST_LINE("GET /hel", "408"),
    NO_SECOND_REQUEST(Requests.HELLO, "200"),
    HALF_A_SECOND_HEAD(Requests.HELLO + "GET /hello HTTP/1.1\r\nHost:", "200 408"),
    TRICKLES_A_SECOND_REQUEST_LINE(Requests.HELLO, "200 408") {
        @Override
        void act(RawClient client, HandlerServer server) throws Exception {
            super.act(client, server);
            await().until(() -> client.socket().getInputStream().available() > 0);
            trickle(client, server, "GET /" + "x".repeat(500), 10);
        }
    },
    NO_BODY(Requests.UPLOAD, "408"),
    TRICKLES_ITS_BODY(Requests.UPLOAD, "408") {
        @Override
        void act(RawClient client, HandlerServer server) throws Exception {
            super.act(client, server);
            trickle(client, server, "b".repeat(600), 10);
        }
    },
    TRICKLES_AN_ECHOED_BODY(Requests.ECHO, "reset") {
        @Override
        void act(RawClient client, HandlerServer server) throws Exception {
            super.act(client, server);
            server.pass(LONG); // the body is long enough for an answer to begin, and incomplete
        }
    },
    SENDS_ITS_BODY_JUST_FAST_ENOUGH(Requests.UPLOAD, "200") {
        @Override
        void act(RawClient client, HandlerServer server) throws Exception {
            super.act(client, server);
            trickle(client, server, "b".repeat(Requests.UPLOADED), 250);
        }
    },
    NO_BODY_FOR_AN_UNKNOWN_PATH("POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n", "404"),
    A_SLOW_HANDLER("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n", "200"),
    DOES_NOT_READ(Requests.LARGE, "reset") {
        @Override
        void act(RawClient client, HandlerServer server) throws Exception {
            super.act(client, server);
            server.pass(LONG); // the client reads nothing for this time
        }
    },
    READS_TOO_SLOWLY(Requests.LARGE, "reset") {
        @Override
        void act(RawClient client, HandlerServer server) throws Exception {
            super.act(client, server);
            for (int n = 0; n < 40; n++) {
                client.socket().getInputStream().readNBytes(20);
                server.pass(TENTH); // 200 bytes a second
            }
        }
    },
    READS_JUST_FAST_ENOUGH(Requests.LARGE, "200") {
        @Override
        String answers(Socket socket, HandlerServer server) throws Exception {
            var all = new StringBuilder();
            for (byte[] some = socket.getInputStream().readNBytes(20_000); some.length > 0;
                    some = socket.getInputStream().readNBytes(20_000)) {
                all.append(new String(some, StandardCharsets.ISO_8859_1));
                server.pass(TENTH); // 200,000 bytes a second
            }
            return statuses(all.toString());
        }
    };

    /** Longer than all timeouts of connections. */
    private static final Duration LONG = Duration.ofSeconds(6);
    private static final Duration TENTH = Duration.ofMillis(100);

    private final String sent;
    private final String expected;

    SlowClient(String sent, String expected) {
        this.sent = sent;
        this.expected = expected;
    }

    /** Returns the expected statuses before the connection's end, or {@code reset}. */
    String expected() {
        return expected;
    }

    /** Acts as the client until the connection ends; returns the statuses, or {@code reset}. */
    final String run(HandlerServer server) throws Exception {
        try (var client = new RawClient(server.port(), 8 * 1024)) {
            act(client, server);
            return answers(client.socket(), server);
        } catch (IOException e) {
            return e.getMessage().contains("reset") ? "reset" : e.toString();
        }
    }

    void act(RawClient client, HandlerServer server) throws Exception {
        client.send(sent);
    }

    String answers(Socket socket, HandlerServer server) throws Exception {
        server.pass(LONG);
        return statuses(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1));
    }

    private static String statuses(String answers) {
        return String.join(" ", answers.lines().filter(line -> line.contains("HTTP/1.1 "))
                .map(line -> line.replaceFirst(".*HTTP/1.1 (\\d+).*", "$1")).toList());
    }

    /** Sends so many bytes each tenth of a second, until an answer arrives. */
    private static void trickle(RawClient client, HandlerServer server, String text, int bytes)
            throws Exception {
        InputStream answers = client.socket().getInputStream();
        int before = answers.available();
        for (int at = 0; at < text.length() && answers.available() == before; at += bytes) {
            client.send(text.substring(at, Math.min(text.length(), at + bytes)));
            server.pass(TENTH); // the pace of the trickle
        }
    }

    private static final class Requests {
        static final int UPLOADED = 5_000;
        static final String HELLO = "GET /hello HTTP/1.1\r\nHost: x\r\n\r\n";
        static final String LARGE = "GET /large HTTP/1.1\r\nHost: x\r\n\r\n";
        static final String ECHO = "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\na";
        static final String UPLOAD =
                "POST /upload HTTP/1.1\r\nHost: x\r\nContent-Length: " + UPLOADED + "\r\n\r\n";
    }
}
