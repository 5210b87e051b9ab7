package io.sluice.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.util.ReferenceCountUtil;
import io.sluice.config.ServerConfig;
import io.sluice.config.TransportKind;
import io.sluice.config.read.ConfigLoader;
import io.sluice.gateway.net.Transport;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reads from an endpoint that sends as fast as it can. */
@Timeout(60)
class FrugalReadsIT {
    private static final ServerConfig CONFIG =
            new ConfigLoader(Map.of()).loadResource("reference.conf").config().server();
    /** In bytes: far more than a read. */
    private static final int LENGTH = 2 << 20;

    /** The other connections of the event loop wait for one read, not for sixteen, as by Netty's default. */
    @ParameterizedTest
    @EnumSource(value = TransportKind.class, names = {"NIO", "EPOLL", "IO_URING"})
    void areOneInARoundOfTheEventLoop(TransportKind kind) throws Exception {
        Transport transport = transport(kind);
        EventLoopGroup loops = transport.group("reads", 1);
        var reads = new ReadsInARow();
        try (var listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            transport.client(CONFIG, new ConnectionLimits(CONFIG)).group(loops).handler(reads)
                    .connect(listener.getLocalSocketAddress());
            try (Socket endpoint = listener.accept()) {
                endpoint.getOutputStream().write(new byte[LENGTH]);
                assertThat(reads.most.get()).isEqualTo(1);
            }
        } finally {
            loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
        }
    }

    private static Transport transport(TransportKind kind) {
        try {
            return Transport.of(kind);
        } catch (UnsupportedOperationException e) {
            return abort(kind + " does not load here: " + e.getMessage());
        }
    }

    /** Counts reads until Netty turns to the next connection. */
    private static final class ReadsInARow extends ChannelInboundHandlerAdapter {
        private final CompletableFuture<Integer> most = new CompletableFuture<>();
        private int left = LENGTH;
        private int reads;
        private int max;

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object bytes) {
            left -= ((ByteBuf) bytes).readableBytes();
            ReferenceCountUtil.release(bytes);
            reads++;
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            max = Math.max(max, reads);
            reads = 0;
            if (left == 0) {
                most.complete(max);
            }
        }
    }
}
