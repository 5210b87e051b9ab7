package io.sluice.gateway.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Posts that an HTTP/2 endpoint states it has not served, from clients of both protocols. */
@Timeout(120)
class Http2UpstreamRetriesIT {
    private static final int INITIAL_WINDOW_SIZE = 4;
    private static final Frame GO_AWAY_BEHIND_3 =
            new Frame(Frame.GOAWAY, 0, 0, new byte[] {0, 0, 0, 3, 0, 0, 0, 0});

    private final List<RawClient> clients = new ArrayList<>();
    private FrameOrigin origin;
    private RunningGateway gateway;

    /** The protocol of a client. */
    private enum Protocol {
        HTTP1, HTTP2
    }

    /** Reads the body of a response. */
    @FunctionalInterface
    private interface Response {
        String read() throws IOException;
    }

    @BeforeEach
    void start() throws IOException {
        origin = new FrameOrigin();
        gateway = RunningGateway.start("""
                sluice {
                  server.worker-threads = 1
                  upstreams.origin { endpoints = ["http://127.0.0.1:%d"], protocol = h2c, deadline = 60s }
                  routes.proxy { path = "/**", handler = proxy, upstream = origin }
                }
                """.formatted(origin.port()));
    }

    @AfterEach
    void stop() throws IOException {
        for (RawClient client : clients) {
            client.close();
        }
        gateway.close();
        origin.close();
    }

    private Response send(Protocol protocol, String method) throws IOException {
        RawClient socket = gateway.connect();
        clients.add(socket);
        if (protocol == Protocol.HTTP1) {
            socket.send(method + " / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody");
            return () -> socket.read().body();
        }
        FrameClient client = FrameClient.greet(socket).send(
                FrameClient.headers(1, false, FrameClient.request(method, "/", "content-length", "4")),
                FrameClient.data(1, true, "body"));
        return () -> client.answer(1).body();
    }

    /** The window lets the body be sent before GOAWAY, or holds it back. */
    @ParameterizedTest
    @CsvSource({"HTTP1, 65535", "HTTP1, 0", "HTTP2, 65535", "HTTP2, 0"})
    void areRepeatedIfGoAwayHasNotReachedThem(Protocol protocol, int window) throws IOException {
        Response one = send(protocol, "GET");
        FrameClient first = origin.accept(INITIAL_WINDOW_SIZE, window);
        first.await(Frame.HEADERS, 3);
        Response two = send(protocol, "POST");
        first.await(Frame.HEADERS, 5);
        first.send(GO_AWAY_BEHIND_3);
        FrameClient second = origin.accept();
        assertThat(second.headers(second.await(Frame.HEADERS, 3))).containsEntry(":method", "POST");
        assertThat(second.body(3)).asString().isEqualTo("body");
        second.send(FrameOrigin.answer(3, "two"));
        assertThat(two.read()).isEqualTo("two");
        first.send(FrameOrigin.answer(3, "one"));
        assertThat(one.read()).isEqualTo("one");
        assertThat(first.goAway()).isEqualTo(Frame.NO_ERROR); // the gateway closes it
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void areRepeatedIfTheirStreamIsRefused(Protocol protocol) throws IOException {
        Response response = send(protocol, "POST");
        FrameClient connection = origin.accept();
        connection.await(Frame.HEADERS, 3);
        connection.send(Frame.rst(3, Frame.REFUSED_STREAM));
        assertThat(connection.headers(connection.await(Frame.HEADERS, 5))).containsEntry(":method", "POST");
        assertThat(connection.body(5)).asString().isEqualTo("body");
        connection.send(FrameOrigin.answer(5, "answer"));
        assertThat(response.read()).isEqualTo("answer");
    }
}
