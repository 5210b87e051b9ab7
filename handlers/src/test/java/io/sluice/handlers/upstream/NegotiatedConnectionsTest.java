package io.sluice.handlers.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.AttributeMap;
import io.netty.util.DefaultAttributeMap;
import io.sluice.config.UpstreamConfig.Balance;
import io.sluice.handlers.upstream.UpstreamException.Stage;
import io.sluice.handlers.upstream.connect.Http1RefusedException;
import io.sluice.handlers.upstream.connect.Opening;
import io.sluice.handlers.upstream.endpoint.CircuitBreaker.Claim;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections to an endpoint that accepts HTTP/2 only. */
class NegotiatedConnectionsTest {
    private final EmbeddedChannel loop = new EmbeddedChannel();
    private final EmbeddedChannel http2 = new EmbeddedChannel();
    private final TestEndpoints endpoints = new TestEndpoints().add(1);
    private final Endpoint endpoint = endpoints.get(0);
    private final List<UpstreamException> failed = new ArrayList<>();
    private Throwable refusal =
            new Http1RefusedException(new SSLHandshakeException("no_application_protocol"));
    private NegotiatedConnections connections;

    private final class Request implements StreamUser {
        private final boolean switches;

        Request(boolean switches) {
            this.switches = switches;
        }

        @Override
        public InetSocketAddress client() {
            return new InetSocketAddress(1);
        }

        @Override
        public AttributeMap connection() {
            return new DefaultAttributeMap();
        }

        @Override
        public boolean switchesProtocol() {
            return switches;
        }

        @Override
        public void opened(UpstreamStream stream) {
            throw new AssertionError("the endpoint has sent no SETTINGS");
        }

        @Override
        public void failed(UpstreamException cause) {
            failed.add(cause);
        }
    }

    @BeforeEach
    void start() {
        connections = new NegotiatedConnections(endpoint, loop.eventLoop(), (_, user) -> {
            user.connected(http2, true);
            return Opening.DONE;
        }, (_, user) -> {
            user.failed(refusal);
            return Opening.DONE;
        }, TestEndpoints.config(Balance.LEAST_LOAD));
    }

    @AfterEach
    void stop() {
        connections.close();
        http2.finishAndReleaseAll();
        loop.finishAndReleaseAll();
    }

    private void askToSwitch(int times) {
        for (int i = 0; i < times; i++) {
            connections.open(new Request(true));
        }
        assertThat(failed).extracting(UpstreamException::stage).hasSize(times).containsOnly(Stage.CONNECT);
        assertThat(endpoint.stats(0).failures().get(Stage.CONNECT)).isEqualTo(times);
    }

    /** Otherwise clients could take the endpoint down by handshakes of WebSockets. */
    @Test
    void stayUpWhereHttp1IsRefused() {
        askToSwitch(3);
        assertThat(endpoint.isUp()).isTrue();
    }

    /** Otherwise clients could keep an endpoint down that works again. */
    @Test
    void leaveTheProbeToTheNextRequestWhereHttp1IsRefused() {
        endpoints.fail(0);
        endpoints.pass(Duration.ofSeconds(20));
        assertThat(endpoint.claimProbe(endpoints.clock.nanoTime())).isTrue();
        Claim claim = endpoint.claim();
        connections.open(new Request(true));
        endpoint.endedUnanswered(claim, failed.getFirst().isOfEndpoint());

        assertThat(endpoint.claimProbe(endpoints.clock.nanoTime())).isTrue();
    }

    @Test
    void goDownByOtherFailuresWhateverIsAgreed() {
        connections.open(new Request(false)).cancel();
        refusal = new ConnectException();
        askToSwitch(3);
        assertThat(endpoint.isUp()).isFalse();
    }
}
