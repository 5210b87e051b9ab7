package io.sluice.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.NetUtil;
import io.sluice.config.ServerConfig;
import io.sluice.config.read.ConfigLoader;
import io.sluice.gateway.limits.ConnectionLimits.Reason;
import io.sluice.offload.LocalShortage;
import java.net.InetAddress;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The limit of connections that clients and upstreams share. */
class ConnectionLimitsTest {
    private static final ServerConfig CONFIG =
            new ConfigLoader(Map.of()).loadResource("reference.conf").config().server();

    private final ConnectionLimits limits = new ConnectionLimits(CONFIG);
    private final ChannelFactory<Channel> upstream = limits.toUpstreams(EmbeddedChannel::new);

    private boolean admits() {
        Reason refused = limits.admit(new EmbeddedChannel(), null);
        assertThat(refused).isIn(null, Reason.LIMIT);
        return refused == null;
    }

    private int admitted() {
        int clients = 0;
        while (admits()) {
            clients++;
        }
        return clients;
    }

    @Test
    void isReservedForUpstreams() {
        limits.update(CONFIG, 10, 3);
        assertThat(limits.limit()).isEqualTo(7);

        assertThat(admitted()).isEqualTo(7);

        for (int i = 0; i < 3; i++) {
            upstream.newChannel();
        }
    }

    @Test
    void isNotReservedForUpstreamsBeyondItsHalf() {
        limits.update(CONFIG, 10, 100);

        assertThat(admitted()).isEqualTo(5);
    }

    /** Upstreams may use more than they have reserved: WebSockets, for example, hold no permit. */
    @Test
    void isLessForClientsWhereUpstreamsUseMoreThanThat() {
        limits.update(CONFIG, 10, 3);
        Channel used = upstream.newChannel();
        for (int i = 0; i < 7; i++) {
            upstream.newChannel();
        }

        assertThat(admitted()).isEqualTo(2);

        used.close();
        assertThat(admitted()).isEqualTo(1);
    }

    @Test
    void isNotForOneAddressAlone() {
        limits.update(CONFIG, 14, 2);
        InetAddress attacker = NetUtil.createInetAddressFromIpAddressString("192.0.2.1");
        InetAddress neighbour = NetUtil.createInetAddressFromIpAddressString("192.0.2.2");

        for (int i = 0; i < 9; i++) {
            assertThat(limits.admit(new EmbeddedChannel(), attacker)).isNull();
        }

        assertThat(limits.admit(new EmbeddedChannel(), attacker)).isEqualTo(Reason.ADDRESS);
        for (int i = 0; i < 3; i++) {
            assertThat(limits.admit(new EmbeddedChannel(), neighbour)).isNull();
        }
        assertThat(limits.admit(new EmbeddedChannel(), neighbour)).isEqualTo(Reason.LIMIT);
    }

    @Test
    void isNotForUpstreamsAlone() {
        limits.update(CONFIG, 20, 4);
        for (int i = 0; i < 16; i++) {
            upstream.newChannel();
        }

        assertThatThrownBy(upstream::newChannel).matches(LocalShortage::is);
        assertThat(admitted()).isEqualTo(4);
    }

    @Test
    void hasAnEndForUpstreamsToo() {
        limits.update(CONFIG, 10, 3);
        assertThat(admits()).isTrue();
        Channel used = upstream.newChannel();
        for (int i = 0; i < 8; i++) {
            upstream.newChannel();
        }

        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(upstream::newChannel)
                    .matches(LocalShortage::is)
                    .hasMessageContaining("1 connections of clients and 9 to upstreams (ulimit -n)");
        }

        used.close();
        assertThat(upstream.newChannel().isOpen()).isTrue();
    }
}
