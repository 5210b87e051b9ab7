package io.sluice.handlers.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.util.concurrent.Ticker;
import io.sluice.config.UpstreamConfig;
import io.sluice.handlers.FlatHeaders;
import io.sluice.offload.Deadline;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Http1ConnectionTest {

    /** A channel whose writes do not complete if stuck, as for an endpoint that does not read. */
    private static final class Stuck extends EmbeddedChannel {
        private final boolean stuck;

        Stuck(boolean stuck) {
            this.stuck = stuck;
        }

        @Override
        protected void doWrite(ChannelOutboundBuffer all) throws Exception {
            if (!stuck) {
                super.doWrite(all);
            }
        }
    }

    /** A reader that records the end of a response. */
    private static final class Reader extends IgnoredResponse {
        private boolean ended;

        @Override
        public void end(HttpHeaders trailers) {
            ended = true;
        }

        @Override
        public void failed(UpstreamException cause) {
            throw new AssertionError(cause);
        }
    }

    /** On a reused connection, the next request would wait behind the unsent rest of this one. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void isKeptOnlyIfTheWholeRequestIsSent(boolean stuck) {
        var channel = new Stuck(stuck);
        Endpoint endpoint = new TestEndpoints().add(1).get(0);
        var home = new Http1Connections(endpoint, channel.eventLoop(), (_, _) -> () -> { },
                TestEndpoints.config(UpstreamConfig.Balance.LEAST_LOAD));
        Http1Connection connection = home.add(channel);
        var reader = new Reader();
        connection.send(new UpstreamRequest(HttpMethod.POST, "/", "a", new FlatHeaders(1), 4, null,
                new RouteTimes(), Deadline.never(Ticker.systemTicker())), reader);
        connection.write(Unpooled.copiedBuffer("body", StandardCharsets.US_ASCII));
        connection.end(EmptyHttpHeaders.INSTANCE);
        connection.flush();
        channel.writeInbound(Unpooled.copiedBuffer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
                StandardCharsets.US_ASCII));
        assertThat(reader.ended).isTrue();
        assertThat(home.idle()).isEqualTo(stuck ? 0 : 1);
        assertThat(channel.isOpen()).isEqualTo(!stuck);
        channel.releaseOutbound();
        channel.finishAndReleaseAll();
    }
}
