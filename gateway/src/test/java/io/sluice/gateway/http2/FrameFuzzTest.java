package io.sluice.gateway.http2;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.DefaultChannelId;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.local.LocalServerChannel;
import io.sluice.config.GatewayConfig;
import io.sluice.config.read.ConfigLoader;
import io.sluice.gateway.http.HttpProtocols;
import io.sluice.gateway.logging.LoggedEvents;
import io.sluice.gateway.loop.PeriodicSteps;
import io.sluice.gateway.net.ConnectionInitializer;
import io.sluice.gateway.net.ConnectionWatches;
import io.sluice.gateway.net.Connections;
import io.sluice.gateway.routing.RoutingTable;
import io.sluice.handlers.http.EchoHandler;
import io.sluice.testing.LeakCheck;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;
import org.slf4j.LoggerFactory;

/**
 * Random frames after the preface: they are served, refused, or end the connection, without errors or leaks.
 */
class FrameFuzzTest {
    private static final GatewayConfig CONFIG
            = new ConfigLoader(Map.of()).loadResource("reference.conf").config();
    private static final RoutingTable ROUTES = new RoutingTable(List.of(
            route("/", exchange -> answer(exchange, "hello")),
            route("/echo", new EchoHandler()),
            route("/collect", exchange -> exchange.readBody(body -> answer(exchange, "collected"))),
            route("/wait", _ -> { })));

    private final LoggedEvents log = new LoggedEvents();

    @BeforeProperty
    void listen() {
        log.start();
        root().addAppender(log);
    }

    @AfterProperty
    void nothingIsWorthAWarning() {
        root().detachAppender(log);
        assertThat(log.list).filteredOn(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
                .extracting(event ->
                        event.getMessage() + ThrowableProxyUtil.asString(event.getThrowableProxy()))
                .isEmpty();
    }

    private static Logger root() {
        return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    @AfterContainer
    static void nothingLeaks() throws InterruptedException {
        LeakCheck.requireNone();
    }

    @Property
    void framesInAnyOrder(@ForAll("sessions") List<Frame> frames) {
        receive(bytes(frames), 1 << 20);
    }

    @Property(tries = 50) // each piece is a read
    void framesInPieces(@ForAll("sessions") List<Frame> frames, @ForAll("sizes") int size) {
        receive(bytes(frames), size);
    }

    @Property
    void framesWithBytesChanged(@ForAll("sessions") List<Frame> frames,
                                @ForAll("changes") List<Integer> changes) {
        byte[] bytes = bytes(frames);
        int begin = FrameClient.PREFACE.length();
        for (int change : changes) {
            bytes[begin + (change >>> 8) % (bytes.length - begin)] = (byte) change;
        }
        receive(bytes, 1 << 20);
    }

    private static byte[] bytes(List<Frame> frames) {
        var bytes = new ByteArrayOutputStream();
        bytes.writeBytes(FrameClient.PREFACE.getBytes(StandardCharsets.US_ASCII));
        bytes.writeBytes(Frame.settings().bytes());
        frames.forEach(frame -> bytes.writeBytes(frame.bytes()));
        return bytes.toByteArray();
    }

    private static void receive(byte[] bytes, int size) {
        var connections = new Connections(Duration.ZERO);
        var http = new HttpProtocols(CONFIG.server(), CONFIG.http2(), () -> ROUTES, connections, _ -> { },
                Optional.empty(), System::currentTimeMillis);
        var channel = new AcceptedChannel(new ConnectionInitializer(CONFIG.server().timeouts(),
                connections, http.detected(), new ConnectionWatches(PeriodicSteps.OWN_TIMERS)));
        for (int at = 0; at < bytes.length && channel.isOpen(); at += size) {
            ByteBuf piece = channel.alloc().buffer();
            channel.writeInbound(piece.writeBytes(bytes, at, Math.min(size, bytes.length - at)));
            channel.runPendingTasks();
        }
        channel.checkException();
        channel.close();
        channel.finishAndReleaseAll();
        channel.checkException();
    }

    /**
     * A channel with a parent, as an accepted one has. Netty's codec takes a channel without parent for a
     * client's.
     */
    private static final class AcceptedChannel extends EmbeddedChannel {
        AcceptedChannel(ChannelHandler handler) {
            super(new LocalServerChannel(), DefaultChannelId.newInstance(), true, false, handler);
        }

        @Override
        protected SocketAddress remoteAddress0() {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        }
    }

    @Provide
    Arbitrary<Integer> sizes() {
        return Arbitraries.integers().between(1, 40);
    }

    @Provide
    Arbitrary<List<Integer>> changes() {
        return Arbitraries.integers().between(0, Integer.MAX_VALUE).list().ofMinSize(1).ofMaxSize(5);
    }

    @Provide
    Arbitrary<List<Frame>> sessions() {
        Arbitrary<Integer> streams = Arbitraries.of(0, 1, 1, 3, 3, 5, 5, 7, 2);
        Arbitrary<Frame> requests = Combinators.combine(streams, Arbitraries.of("GET", "POST", "HEAD"),
                Arbitraries.of("/", "/echo", "/collect", "/wait", "/nowhere"), Arbitraries.of(true, false),
                Arbitraries.of("content-length", "x", "expect", "te", "Upper"))
                .as((stream, method, path, end, name) -> FrameClient.headers(stream, end,
                        FrameClient.request(method, path, name, "3")));
        Arbitrary<Frame> bodies = Combinators.combine(streams, Arbitraries.of(true, false),
                Arbitraries.of("", "a", "abc", "a".repeat(16_384))).as(FrameClient::data);
        Arbitrary<Frame> numbers = Combinators.combine(Arbitraries.of(Frame.RST_STREAM, Frame.WINDOW_UPDATE),
                streams, Arbitraries.of(0, 1, 8, 65_535, Integer.MAX_VALUE))
                .as((type, stream, number) -> Frame.of(type, 0, stream, number));
        Arbitrary<Frame> others = Combinators.combine(Arbitraries.integers().between(0, 12),
                Arbitraries.integers().between(0, 255), streams,
                Arbitraries.bytes().array(byte[].class).ofMaxSize(20)).as(Frame::new);
        return Arbitraries.frequencyOf(Tuple.of(5, requests), Tuple.of(4, bodies),
                Tuple.of(2, numbers), Tuple.of(1, others)).list().ofMaxSize(12);
    }
}
