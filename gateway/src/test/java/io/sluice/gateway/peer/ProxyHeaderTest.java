package io.sluice.gateway.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.config.ServerConfig;
import io.sluice.config.read.ConfigLoader;
import io.sluice.gateway.limits.ConnectionLimits;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The timeout of a PROXY header. */
class ProxyHeaderTest {
    private final ServerConfig config
            = new ConfigLoader(Map.of()).loadResource("reference.conf").config().server();
    private final ConnectionLimits limits = new ConnectionLimits(config);
    private final EmbeddedChannel channel = new EmbeddedChannel() {
        @Override
        protected SocketAddress remoteAddress0() {
            return new InetSocketAddress("127.0.0.1", 1);
        }
    };

    @BeforeEach
    void connect() {
        channel.freezeTime();
        channel.pipeline().addLast(ProxyHeader.before(new ChannelInboundHandlerAdapter(), config, limits));
    }

    private void send(String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
    }

    private void wait(int seconds) {
        channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
    }

    @Test
    void aClientThatTricklesItIsNotWaitedForAnyLonger() {
        for (char c : "PROX".toCharArray()) {
            send(String.valueOf(c));
            wait(1);
            assertThat(channel.isOpen()).isTrue();
        }
        send("Y");
        wait(1);

        assertThat(channel.isOpen()).isFalse();
        assertThat(limits.rejected(ConnectionLimits.Reason.PROXY_HEADER)).isEqualTo(1);
    }

    @Test
    void whatComesAfterItHasAllTimeThereIs() {
        send("PROXY TCP4 203.0.113.7 203.0.113.8 1 2\r\nrest");
        wait(9);

        assertThat(channel.isOpen()).isTrue();
        assertThat(PeerAddress.of(channel)).isEqualTo(new InetSocketAddress("203.0.113.7", 1));
        assertThat(channel.<ByteBuf>readInbound())
                .satisfies(rest -> assertThat(rest.toString(StandardCharsets.US_ASCII))
                        .isEqualTo("rest"))
                .satisfies(ByteBuf::release);
        channel.close();
    }
}
