package io.sluice.gateway.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;

class CloseNotifyTest {

    /** A client that accepts no more bytes: writes to it never complete. */
    private static final class Stuck extends ChannelOutboundHandlerAdapter {

        @Override
        public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
            ReferenceCountUtil.release(message);
        }
    }

    private static SslHandler tls() throws Exception {
        SSLEngine engine = SSLContext.getDefault().createSSLEngine();
        engine.setUseClientMode(true);
        return new SslHandler(engine);
    }

    /**
     * A close must not wait for the client. While TLS waited, the channel would be writable and all writes
     * would be lost, so a handler that writes while it is writable would never stop.
     */
    @Test
    void closeDoesNotWaitForTheClient() throws Exception {
        var channel = new EmbeddedChannel(new Stuck(), tls(), new CloseNotify());

        channel.close();

        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void closeWithoutTlsIsImmediate() {
        var channel = new EmbeddedChannel(new CloseNotify());

        channel.close();

        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void closesAConnectionThatBreaksTlsAndTellsWhatItWas() throws Exception {
        var broken = new SSLException("bad record");
        List<Throwable> told = new ArrayList<>();
        var channel = new EmbeddedChannel(tls(), new CloseNotify(), new ChannelInboundHandlerAdapter() {
            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                told.add(cause);
            }
        });

        channel.pipeline().fireExceptionCaught(new DecoderException(broken));

        assertThat(told).containsExactly(broken);
        assertThat(channel.isOpen()).isFalse();
        channel.releaseOutbound();
    }
}
