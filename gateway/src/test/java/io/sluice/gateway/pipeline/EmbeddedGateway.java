package io.sluice.gateway.pipeline;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.config.ConfigLoader;
import io.sluice.config.ServerConfig;
import io.sluice.gateway.routing.Route;
import io.sluice.gateway.routing.Router;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A connection of the gateway's without a socket: bytes in, bytes out, nobody else's thread. */
final class EmbeddedGateway implements AutoCloseable {
    private final UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(false, true);
    private final EmbeddedChannel channel = new EmbeddedChannel() {
        @Override
        protected SocketAddress remoteAddress0() {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        }
    };
    private final StringBuilder sent = new StringBuilder();

    EmbeddedGateway(ServerConfig config, Route... routes) {
        this(config, _ -> { }, routes);
    }

    EmbeddedGateway(ServerConfig config, RequestListener listener, Route... routes) {
        channel.config().setAllocator(memory);
        var connections = new Connections(Duration.ZERO);
        channel.pipeline().addLast(new GatewayChannelInitializer(config.timeouts(), connections,
                new HttpProtocols(config, null, new Router(List.of(routes)), connections, listener, null,
                        Optional.empty(), System::currentTimeMillis).detected(), LoopTicks.OWN_TIMERS));
    }

    /** The defaults with these settings, as {@code sluice.server.port}. */
    static ServerConfig config(Map<String, String> settings) {
        return new ConfigLoader(settings).loadResource("reference.conf").server();
    }

    /** Takes what a client sends, in Latin-1, in one read. What comes after the end is dropped. */
    EmbeddedGateway receive(String latin1) {
        if (channel.isOpen()) {
            byte[] bytes = latin1.getBytes(StandardCharsets.ISO_8859_1);
            channel.writeInbound(memory.buffer(Math.max(1, bytes.length)).writeBytes(bytes));
            channel.checkException();
        }
        return this;
    }

    /** Tells it that memory is short, as a watch does. */
    EmbeddedGateway memoryIsShort() {
        channel.pipeline().fireUserEventTriggered(new Connections.MemoryShortEvent());
        return this;
    }

    /** All that it has sent, in Latin-1. */
    String sent() {
        for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
            sent.append(part.toString(StandardCharsets.ISO_8859_1));
            part.release();
        }
        return sent.toString();
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    /** Bytes of buffers that nobody has released; none when it has been closed. */
    long memory() {
        return memory.metric().usedHeapMemory() + memory.metric().usedDirectMemory();
    }

    @Override
    public void close() {
        channel.close();
        channel.checkException();
        sent();
    }
}
