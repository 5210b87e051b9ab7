package io.sluice.handlers.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.AttributeMap;
import io.netty.util.DefaultAttributeMap;
import io.sluice.config.UpstreamConfig.Balance;
import io.sluice.handlers.upstream.UpstreamException.Stage;
import io.sluice.handlers.upstream.connect.Opening;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An endpoint whose connections are replaced while a request waits for its first SETTINGS. */
class Http2ConnectionsTest {
    private static final byte[] SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};

    private final EmbeddedChannel loop = new EmbeddedChannel();
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Endpoint endpoint = new TestEndpoints().add(1).get(0);
    private final List<UpstreamStream> opened = new ArrayList<>();
    private final Http2Connections connections = new Http2Connections(endpoint, loop.eventLoop(),
            (_, user) -> {
                user.connected(channel, true);
                return Opening.DONE;
            }, TestEndpoints.config(Balance.LEAST_LOAD));

    private final class Request implements StreamUser {

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
            return false;
        }

        @Override
        public void opened(UpstreamStream stream) {
            opened.add(stream);
        }

        @Override
        public void failed(UpstreamException cause) {
            throw new AssertionError(cause);
        }
    }

    @Test
    void serveTheRequestsThatWaitWhenTheyAreReplaced() {
        connections.open(new Request());
        connections.close();
        assertThat(channel.isOpen()).isTrue();

        channel.writeInbound(Unpooled.copiedBuffer(SETTINGS));

        assertThat(opened).hasSize(1);
        assertThat(endpoint.stats(0).failures()).containsEntry(Stage.CONNECT, 0L);
        channel.finishAndReleaseAll();
        loop.finishAndReleaseAll();
    }

    @Test
    void closeWhenTheyAreAcceptedAndNoRequestWaits() {
        connections.open(new Request()).cancel();
        connections.close();

        channel.writeInbound(Unpooled.copiedBuffer(SETTINGS));

        assertThat(channel.isOpen()).isFalse();
        channel.finishAndReleaseAll();
        loop.finishAndReleaseAll();
    }
}
