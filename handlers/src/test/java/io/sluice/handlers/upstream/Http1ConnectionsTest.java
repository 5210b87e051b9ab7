package io.sluice.handlers.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.util.AttributeMap;
import io.netty.util.DefaultAttributeMap;
import io.netty.util.concurrent.Ticker;
import io.sluice.config.UpstreamConfig.Balance;
import io.sluice.handlers.message.FlatHeaders;
import io.sluice.handlers.upstream.connect.IdleConnections.Place;
import io.sluice.handlers.upstream.connect.Opening;
import io.sluice.offload.Deadline;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The choice among the open connections to an endpoint. */
class Http1ConnectionsTest {
    private final List<EmbeddedChannel> channels = new ArrayList<>();
    private final EmbeddedChannel loop = new EmbeddedChannel();
    private Http1Connections connections;
    private final Client one = new Client();
    private final Client two = new Client();

    /** A client's connection, and the connection to the endpoint that carried its last request. */
    private final class Client implements StreamUser {
        private final AttributeMap attributes;
        private UpstreamStream stream;

        Client() {
            this(new DefaultAttributeMap());
        }

        Client(AttributeMap attributes) {
            this.attributes = attributes;
        }

        /** Sends a request, and returns the number of the connection that carries it. */
        int send() {
            return send(new FlatHeaders(1));
        }

        int logIn() {
            var headers = new FlatHeaders(1);
            headers.set("authorization", "NTLM TlRM");
            return send(headers);
        }

        private int send(FlatHeaders headers) {
            connections.open(this);
            stream.send(new UpstreamRequest(HttpMethod.GET, "/", "a", headers, 0, null,
                    new RouteResponses(), TestEndpoints.CLIENT, Deadline.never(Ticker.systemTicker())),
                    new IgnoredResponse());
            return channels.indexOf(((Http1Connection) stream).channel());
        }

        /** Completes the request with a response. */
        void end() {
            ((EmbeddedChannel) ((Http1Connection) stream).channel()).writeInbound(Unpooled.copiedBuffer(
                    "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", StandardCharsets.US_ASCII));
        }

        int exchange() {
            int connection = send();
            end();
            return connection;
        }

        @Override
        public InetSocketAddress client() {
            return new InetSocketAddress(1);
        }

        @Override
        public AttributeMap connection() {
            return attributes;
        }

        @Override
        public boolean switchesProtocol() {
            return false;
        }

        @Override
        public void opened(UpstreamStream opened) {
            stream = opened;
        }

        @Override
        public void failed(UpstreamException cause) {
            throw new AssertionError(cause);
        }
    }

    @BeforeEach
    void start() {
        Endpoint endpoint = new TestEndpoints().add(1).get(0);
        connections = new Http1Connections(endpoint, loop.eventLoop(), (_, user) -> {
            var channel = new EmbeddedChannel();
            channels.add(channel);
            user.connected(channel, false);
            return Opening.DONE;
        }, TestEndpoints.config(Balance.LEAST_LOAD));
    }

    @AfterEach
    void stop() {
        connections.close();
        channels.forEach(EmbeddedChannel::finishAndReleaseAll);
        loop.finishAndReleaseAll();
    }

    /** Opens two connections, one for the request of each client. */
    private void openTwo() {
        assertThat(one.send()).isZero();
        assertThat(two.send()).isEqualTo(1);
        two.end();
        one.end();
        assertThat(connections.idle()).isEqualTo(2);
    }

    @Test
    void isTheOneThatTheClientUsedLast() {
        openTwo();
        for (Client client : new Client[] {one, two, two, one, one, two}) {
            assertThat(client.exchange()).isEqualTo(client == one ? 0 : 1);
        }
        assertThat(connections.idle()).isEqualTo(2);
    }

    @Test
    void isTheOneThatWasUsedLastForOthers() {
        openTwo();
        var other = new Client();
        assertThat(other.exchange()).isZero();
        assertThat(two.exchange()).isEqualTo(1);
        assertThat(new Client().exchange()).isEqualTo(1);
        assertThat(other.exchange()).isZero();
        assertThat(one.exchange()).isZero();
    }

    @Test
    void isAnotherWhileThatOfTheClientIsBusyOrClosed() {
        openTwo();
        var other = new Client();
        assertThat(other.send()).isZero();
        assertThat(one.send()).isEqualTo(1);
        one.end();
        other.end();
        channels.get(1).close();
        assertThat(connections.idle()).isEqualTo(1);
        assertThat(one.exchange()).isZero();
        assertThat(two.exchange()).isZero();
        assertThat(channels).hasSize(2);
    }

    @Test
    void isNotKeptInMemoryForAClientAfterItsEnd() {
        openTwo();
        channels.get(0).close();
        assertThatThrownBy(one.attributes.attr(Http1Connections.USED_LAST).get()::connection)
                .hasMessage("the connection has ended");
        assertThat(two.attributes.attr(Http1Connections.USED_LAST).get().connection()).isNotNull();
    }

    /** Nobody else may have it. A client that comes, logs in and goes again and again would leave many. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void endsWithTheClientThatHasLoggedInOnIt(boolean duringARequest) {
        var client = new EmbeddedChannel();
        var other = new Client();
        var user = new Client(client);
        for (int i = 0; i < 2; i++) {
            assertThat(user.logIn()).isZero();
            user.end();
            assertThat(other.exchange()).isOne();
        }
        assertThat(connections.idle()).isEqualTo(2);
        if (duringARequest) {
            user.send();
            client.close();
            user.end();
        } else {
            client.close();
        }
        assertThat(channels).extracting(EmbeddedChannel::isOpen).containsExactly(false, true);
        assertThat(connections.idle()).isOne();
        client.finishAndReleaseAll();
    }

    /** The end of a socket with requests in its messages is not known. */
    @Test
    void isNotKeptAfterALoginOfAClientWithoutAConnection() {
        one.logIn();
        one.end();
        assertThat(connections.idle()).isZero();
        assertThat(channels.getFirst().isOpen()).isFalse();
    }

    /** Else clients that have left would stay, each for the next one, while the first of them stays. */
    @Test
    void keepsNoClientInMemoryAfterItsEnd() {
        one.send();
        Place<Http1Connection> place = one.attributes.attr(Http1Connections.USED_LAST).get();
        place.reserve();
        assertThat(place.isFor(one.attributes)).isTrue();
        channels.getFirst().close();
        assertThat(place.isFor(one.attributes)).isFalse();
    }

    @Test
    void isClosedIfItIsIdleForTooLong() {
        loop.freezeTime();
        openTwo();
        pass(Duration.ofSeconds(29));
        assertThat(one.exchange()).isZero();
        pass(Duration.ofSeconds(1));
        assertThat(channels).extracting(EmbeddedChannel::isOpen).containsExactly(true, false);
        pass(Duration.ofSeconds(28));
        assertThat(connections.idle()).isEqualTo(1);
        pass(Duration.ofSeconds(1));
        assertThat(connections.idle()).isZero();
        assertThat(channels.get(0).isOpen()).isFalse();
    }

    private void pass(Duration time) {
        loop.advanceTimeBy(time.toMillis(), TimeUnit.MILLISECONDS);
        loop.runScheduledPendingTasks();
    }

    @Test
    void isOfTheSameEndpoint() {
        openTwo();
        Http1Connections first = connections;
        start();
        assertThat(one.exchange()).isEqualTo(2);
        first.close();
        assertThat(channels.get(0).isOpen()).isFalse();
        assertThat(two.exchange()).isEqualTo(2);
    }
}
