package io.sluice.gateway.exchange;

import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import io.sluice.gateway.limits.UnsentMemory;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.MemoryShare;
import io.sluice.handlers.ResponseStream;
import io.sluice.handlers.TimeLimits;
import io.sluice.offload.ClientNetwork;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Time limits of requests: the requests of a connection share a timer, and each has its own limit. */
class TimeWatchIT {
    private static final Duration IDLE = Duration.ofSeconds(2);

    private final BlockingQueue<Exchange> asked = new LinkedBlockingQueue<>();
    private HandlerServer server;

    @BeforeEach
    void start() {
        server = HandlerServer.withClock(Map.of(), route("/{seconds}", exchange -> {
            exchange.limitTime(TimeLimits.ofTotal(
                    Duration.ofSeconds(Long.parseLong(exchange.pathParameter("seconds")))));
            asked.add(exchange);
        }), route("/idle", exchange -> {
            exchange.limitTime(new TimeLimits(Optional.empty(), Optional.empty(), Optional.of(IDLE)));
            asked.add(exchange);
        }));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static void ask(RawClient client, Object path) throws Exception {
        client.send("GET /" + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
    }

    private void answer(RawClient client) throws Exception {
        asked.poll(30, TimeUnit.SECONDS)
                .respond(HttpResponseStatus.OK, "text/plain", Unpooled.EMPTY_BUFFER);
        assertThat(client.read().status()).isEqualTo(200);
    }

    private void assertExpiresAfter(Duration limit, RawClient client) throws Exception {
        Exchange exchange = asked.poll(30, TimeUnit.SECONDS);
        server.pass(limit.minusMillis(1));
        assertThat(exchange.deadline().remainingNanos()).isPositive();
        assertThat(server.ended()).extracting(HandlerServer.Ended::status).doesNotContain(504);
        server.pass(Duration.ofMillis(1));
        assertThat(client.read().status()).isEqualTo(504);
        server.ended().clear();
    }

    @Test
    void endsARequestBeforeTheTimerOfAnEarlierOneEnds() throws Exception {
        try (RawClient client = server.connect()) {
            ask(client, 60);
            answer(client);
            ask(client, 2);
            assertExpiresAfter(Duration.ofSeconds(2), client);
        }
    }

    @Test
    void endsARequestAfterTheTimerOfAnEarlierOneHasEnded() throws Exception {
        try (RawClient client = server.connect()) {
            ask(client, 2);
            answer(client);
            server.pass(Duration.ofSeconds(1));
            ask(client, 60);
            assertExpiresAfter(Duration.ofSeconds(60), client);
        }
    }

    /** An address of its own, as its share of memory is taken. */
    @Test
    void doesNotCountTheTimeInWhichTheClientHasToReadOtherResponses() throws Exception {
        InetAddress address = InetAddress.ofLiteral("127.0.0.9");
        ChannelPromise others = new EmbeddedChannel().newPromise();
        try (var client = new RawClient(
                new Socket(InetAddress.getLoopbackAddress(), server.port(), address, 0))) {
            ask(client, "idle");
            ResponseStream stream = asked.poll(30, TimeUnit.SECONDS).stream(
                    new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
            stream.flush();
            assertThat(client.readHead().status()).isEqualTo(200);
            UnsentMemory.count(ClientNetwork.of(address), (int) MemoryShare.EIGHTH + 1, others);
            assertThat(stream.isWritable()).isFalse();
            server.pass(IDLE.multipliedBy(4));
            assertThat(server.ended()).isEmpty();

            others.setSuccess();
            assertThat(stream.isWritable()).isTrue();
            server.pass(IDLE.multipliedBy(2));

            assertThat(server.ended()).extracting(HandlerServer.Ended::status).containsExactly(504);
        } finally {
            others.trySuccess();
        }
    }
}
