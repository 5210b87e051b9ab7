package io.sluice.gateway.peer;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.config.ServerConfig;
import io.sluice.config.read.ConfigLoader;
import io.sluice.gateway.limits.ConnectionLimits;
import io.sluice.gateway.logging.LoggedEvents;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The timeout of a PROXY header. */
class ProxyHeaderDecoderTest {
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
        channel.pipeline().addLast(
                ProxyHeaderDecoder.before(new ChannelInboundHandlerAdapter(), config, limits));
    }

    private void send(String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
    }

    private void wait(int seconds) {
        channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
    }

    @Test
    void trickledHeaderTimesOut() {
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
    void aWarningNamesTheClientThatHasTooManyConnections() {
        var logged = new LoggedEvents();
        logged.start();
        var logger = (Logger) LoggerFactory.getLogger(ConnectionLimits.class);
        logger.addAppender(logged);
        var client = new InetSocketAddress("203.0.113.7", 1).getAddress();
        var others = new EmbeddedChannel();
        while (limits.admitFrom(client, others)) {
            // until it has as many as it may have
        }
        send("PROXY TCP4 203.0.113.7 203.0.113.8 1 2\r\n");
        logger.detachAppender(logged);

        assertThat(channel.isOpen()).isFalse();
        assertThat(logged.list).extracting(ILoggingEvent::getFormattedMessage)
                .anyMatch(line -> line.startsWith("a connection from 203.0.113.7 was closed"));
    }

    @Test
    void timeoutEndsWithTheHeader() {
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
