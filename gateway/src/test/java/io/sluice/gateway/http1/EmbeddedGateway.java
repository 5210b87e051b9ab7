package io.sluice.gateway.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.config.ServerConfig;
import io.sluice.config.read.ConfigLoader;
import io.sluice.gateway.exchange.RequestObserver;
import io.sluice.gateway.http.HttpProtocols;
import io.sluice.gateway.loop.PeriodicSteps;
import io.sluice.gateway.net.ConnectionEvent;
import io.sluice.gateway.net.ConnectionInitializer;
import io.sluice.gateway.net.ConnectionWatches;
import io.sluice.gateway.net.Connections;
import io.sluice.gateway.routing.Route;
import io.sluice.gateway.routing.RoutingTable;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A connection of the gateway without a socket, on the thread of the test. */
public final class EmbeddedGateway implements AutoCloseable {
    private final UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(false, true);
    private final EmbeddedChannel channel = new EmbeddedChannel() {
        @Override
        protected SocketAddress remoteAddress0() {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        }
    };
    private final StringBuilder sent = new StringBuilder();

    public EmbeddedGateway(ServerConfig config, Route... routes) {
        this(config, _ -> { }, routes);
    }

    public EmbeddedGateway(ServerConfig config, RequestObserver listener, Route... routes) {
        channel.config().setAllocator(memory);
        var connections = new Connections(Duration.ZERO);
        var table = new RoutingTable(List.of(routes));
        channel.pipeline().addLast(new ConnectionInitializer(config.timeouts(), connections,
                new HttpProtocols(config, null, () -> table, connections, listener,
                        Optional.empty(), System::currentTimeMillis).detected(),
                new ConnectionWatches(PeriodicSteps.OWN_TIMERS)));
    }

    /** Returns the defaults with settings such as {@code sluice.server.port}. */
    public static ServerConfig config(Map<String, String> settings) {
        return new ConfigLoader(settings).loadResource("reference.conf").config().server();
    }

    /** Receives bytes of a client, in Latin-1, in one read. Drops them if the connection is closed. */
    public EmbeddedGateway receive(String latin1) {
        if (channel.isOpen()) {
            byte[] bytes = latin1.getBytes(StandardCharsets.ISO_8859_1);
            channel.writeInbound(memory.buffer(Math.max(1, bytes.length)).writeBytes(bytes));
            channel.checkException();
        }
        return this;
    }

    /** Informs the connection of a shortage of direct memory, as the watch does. */
    public EmbeddedGateway memoryIsShort() {
        return memoryIsShort(false);
    }

    /** Informs the connection of a shortage of direct memory, or of the heap. */
    public EmbeddedGateway memoryIsShort(boolean heap) {
        channel.pipeline().fireUserEventTriggered(new ConnectionEvent.MemoryShort(heap));
        return this;
    }

    /** Returns all bytes that were sent to the client, in Latin-1. */
    public String sent() {
        for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
            sent.append(part.toString(StandardCharsets.ISO_8859_1));
            part.release();
        }
        return sent.toString();
    }

    public boolean isOpen() {
        return channel.isOpen();
    }

    /** Returns the bytes of unreleased buffers; 0 when the connection is closed. */
    public long memory() {
        return memory.metric().usedHeapMemory() + memory.metric().usedDirectMemory();
    }

    @Override
    public void close() {
        channel.close();
        channel.checkException();
        sent();
    }
}
