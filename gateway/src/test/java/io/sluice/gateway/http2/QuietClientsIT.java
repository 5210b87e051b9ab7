package io.sluice.gateway.http2;

import static io.sluice.gateway.HandlerServer.route;
import static io.sluice.gateway.http2.FrameClient.data;
import static io.sluice.gateway.http2.FrameClient.post;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import io.sluice.gateway.filter.Timing;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.MessageProtocol;
import io.sluice.handlers.Relayed;
import io.sluice.handlers.ResponseStream;
import io.sluice.handlers.TimeLimits;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients of streams that have both directions open while neither side has anything to say, as in gRPC. */
@Timeout(120)
class QuietClientsIT {
    private static final Duration LONGER_THAN_STALL = Duration.ofSeconds(3);
    private static final Duration FIRST_BYTE = Duration.ofSeconds(2);
    private static final Duration IDLE = Duration.ofSeconds(4);

    private HandlerServer server;

    @BeforeEach
    void start() {
        var limits = new TimeLimits(Optional.empty(), Optional.of(FIRST_BYTE), Optional.of(IDLE));
        server = HandlerServer.withClock(
                Map.of("sluice.server.timeouts.stall", "1s", "sluice.server.timeouts.min-rate", "1000"),
                route("/", new Timing(limits).around(QuietClientsIT::converse)),
                route("/silent", new Timing(limits).around(QuietClientsIT::receiveMessages)));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** Responds as an endpoint that does not await the end of the body, and echoes each piece of that. */
    private static void converse(Exchange exchange) {
        ResponseStream stream = exchange.stream(new RelayedHead());
        stream.flush();
        exchange.streamBody(new Exchange.BodyReader() {
            @Override
            public boolean content(ByteBuf piece) {
                stream.write(piece);
                return true;
            }

            @Override
            public void end(HttpHeaders trailers) {
                stream.end();
            }
        });
    }

    /** Awaits the end of the body, which is a series of messages, and does not answer. */
    private static void receiveMessages(Exchange exchange) {
        exchange.attr(MessageProtocol.IS_BETWEEN_MESSAGES).set(() -> true);
        exchange.streamBody(new Exchange.BodyReader() {
            @Override
            public boolean content(ByteBuf piece) {
                piece.release();
                return true;
            }

            @Override
            public void end(HttpHeaders trailers) {
                // The endpoint computes.
            }
        });
    }

    private static final class RelayedHead extends DefaultHttpResponse implements Relayed {
        RelayedHead() {
            super(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        }
    }

    @Test
    void mayBeSilentWithinTheIdleTimeOnceTheEndpointResponds() throws IOException {
        try (FrameClient client = FrameClient.connect(server)) {
            client.send(post(1, "/"));
            client.await(Frame.HEADERS, 1);
            for (int n = 0; n < 3; n++) {
                server.pass(LONGER_THAN_STALL);
                client.send(data(1, false, "a"));
                assertThat(client.await(Frame.DATA, 1).payload()).asString().isEqualTo("a");
            }
            server.pass(IDLE.plusSeconds(2));

            assertThat(client.resetOf(1)).isEqualTo(Frame.INTERNAL_ERROR);
            assertEndedWith(504);
        }
    }

    @Test
    void mayBeSilentOverHttp1Too() throws IOException {
        String chunk = "1\r\na\r\n";
        try (RawClient client = server.connect()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n").readHead();
            for (int n = 0; n < 3; n++) {
                server.pass(LONGER_THAN_STALL);
                client.send(chunk);
                assertThat(client.read(chunk.length())).isEqualTo(chunk);
            }
            server.pass(IDLE.plusSeconds(2));
            assertEndedWith(504);
        }
    }

    @Test
    void haveToReadWhatTheEndpointSays() throws IOException {
        try (FrameClient client = FrameClient.connect(server, 4, 0)) { // without a window
            client.send(post(1, "/"), data(1, false, "a"));
            client.await(Frame.HEADERS, 1);
            server.pass(LONGER_THAN_STALL);

            assertThat(client.resetOf(1)).isEqualTo(Frame.CANCEL);
            assertEndedWith(499);
        }
    }

    /** A pause between two messages is longer than the limit. */
    @Test
    void leaveTheEndpointItsTimeFromTheEndOfTheRequest() throws IOException {
        try (FrameClient client = FrameClient.connect(server)) {
            client.send(post(1, "/silent"), data(1, false, "a"));
            server.pass(LONGER_THAN_STALL);
            client.send(data(1, true, ""));
            server.pass(FIRST_BYTE.minusMillis(1));
            assertThat(server.ended()).isEmpty();

            server.pass(FIRST_BYTE.dividedBy(2));
            assertEndedWith(504);
        }
    }

    private void assertEndedWith(int status) {
        assertThat(server.ended()).singleElement().extracting(HandlerServer.Ended::status).isEqualTo(status);
    }
}
