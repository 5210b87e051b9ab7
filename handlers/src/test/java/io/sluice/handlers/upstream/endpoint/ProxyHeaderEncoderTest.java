package io.sluice.handlers.upstream.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** PROXY protocol headers, compared with the bytes of the specification's section 2.2. */
class ProxyHeaderEncoderTest {
    private static final String SIGNATURE = "0d0a0d0a000d0a515549540a";

    private static String header(InetSocketAddress client, InetSocketAddress endpoint) {
        var channel = new EmbeddedChannel(new ChannelOutboundHandlerAdapter()) {
            @Override
            public SocketAddress remoteAddress() {
                return endpoint;
            }
        };
        ProxyHeaderEncoder.write(channel, client);
        channel.flush();
        assertThat(ProxyHeaderEncoder.client(channel)).isEqualTo(client);
        ByteBuf header = channel.readOutbound();
        try {
            return ByteBufUtil.hexDump(header);
        } finally {
            header.release();
            channel.finish();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            192.0.2.7   | 10.0.0.8 | 2111000c c0000207 0a000008
            2001:db8::7 | fd00::8  | 21210024 20010db8 0 0 00000007 fd000000 0 0 00000008
            192.0.2.7   | fd00::8  | 21210024 00000000 0 0000ffff c0000207 fd000000 0 0 00000008
            2001:db8::7 | 10.0.0.8 | 21210024 20010db8 0 0 00000007 00000000 0 0000ffff 0a000008
            """)
    void tellsTheClientsAddress(String client, String endpoint, String rest) {
        assertThat(header(new InetSocketAddress(client, 54321), new InetSocketAddress(endpoint, 8080)))
                .isEqualTo(SIGNATURE + rest.replace(" 0 ", " 00000000 ").replace(" 0 ", " 00000000 ")
                        .replace(" ", "") + "d4311f90");
    }

    @Test
    void isLocalForConnectionsOfTheGatewayItself() {
        assertThat(header(null, new InetSocketAddress("10.0.0.8", 8080))).isEqualTo(SIGNATURE + "20000000");
    }
}
