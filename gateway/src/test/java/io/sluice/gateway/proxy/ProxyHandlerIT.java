package io.sluice.gateway.proxy;

import static io.sluice.gateway.proxy.ProxyBed.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.Ticker;
import io.sluice.config.GatewayConfig;
import io.sluice.config.HandlerConfig;
import io.sluice.config.RouteConfig;
import io.sluice.config.UpstreamConfig;
import io.sluice.config.read.ConfigLoader;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import io.sluice.gateway.limits.ConnectionLimits;
import io.sluice.gateway.net.Transport;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ExchangeWrapper;
import io.sluice.handlers.Upgrade;
import io.sluice.handlers.proxy.ProxyHandler;
import io.sluice.handlers.upstream.Endpoint;
import io.sluice.handlers.upstream.Upstream;
import io.sluice.handlers.upstream.UpstreamNetwork;
import io.sluice.handlers.upstream.UpstreamObserver;
import io.sluice.offload.Permits;
import io.sluice.offload.PoolObserver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The event loop of a proxied request and of its connection, and the writes of its response. */
class ProxyHandlerIT {
    private static final String CONFIG = """
            sluice.server.transport = %s
            sluice.upstream-defaults.connect-timeout = 20s
            sluice.upstreams.origin.endpoints = ["http://127.0.0.1:%d"]
            sluice.routes.all { path = "/**", handler = proxy, upstream = origin }
            """;
    private static final String HEAD = "HTTP/1.1 200 OK\r\n";
    private static final int LOOPS = 2;
    /** Connections that the kernel does not give to one of two loops by chance. */
    private static final int MANY = 50;

    @TempDir
    private Path folder;
    private final List<Channel> toOrigin = new CopyOnWriteArrayList<>();
    private final List<EventLoop> ofRequests = new CopyOnWriteArrayList<>();
    private final List<RawClient> clients = new ArrayList<>();
    private final WriteCounter writes = new WriteCounter();
    private volatile String response = HEAD + "Content-Length: 2\r\n\r\nok";
    /** Is thrown while the head of a request is made; null for none. */
    private volatile @Nullable Error defect;
    /** Becomes the defect when the origin has got a request, whose connection it closes; null for none. */
    private volatile @Nullable Error defectOfRepetition;
    /** Indicates that no loop takes a connection to the origin, which fails before it is awaited. */
    private volatile boolean unregistered;
    private volatile Collection<Endpoint> endpoints = List.of();
    private ByteOrigin origin;
    private EventLoopGroup background;
    private Upstream upstream;
    private ProxyHandler handler;
    private HandlerServer server;

    /** Counts the writes and flushes that reach the sockets of clients. */
    @Sharable
    private static final class WriteCounter extends ChannelOutboundHandlerAdapter {
        private final AtomicInteger written = new AtomicInteger();
        private final AtomicInteger flushed = new AtomicInteger();
        private volatile boolean unsent;

        @Override
        public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
            written.incrementAndGet();
            unsent = true;
            ctx.write(message, promise);
        }

        @Override
        public void flush(ChannelHandlerContext ctx) {
            if (unsent) {
                flushed.incrementAndGet();
            }
            unsent = false;
            ctx.flush();
        }
    }

    @BeforeEach
    void start() throws IOException {
        origin = ByteOrigin.playing(connection -> {
            while (connection.request() != null && !vanishes()) {
                connection.send(response);
            }
        });
        Path file = Files.writeString(folder.resolve("proxy.conf"),
                CONFIG.formatted(System.getProperty("test.transport", "nio"), origin.port()));
        GatewayConfig config = new ConfigLoader(Map.of()).load(file).config();
        Transport transport = Transport.of(config.server().transport());
        background = transport.group("background", 1);
        UpstreamConfig settings = config.upstreams().get("origin");
        RouteConfig route = config.routes().get("all");
        upstream = new Upstream("origin", settings,
                Permits.create("origin", settings, PoolObserver.NONE), new UpstreamObserver() {
                    @Override
                    public void endpoints(Collection<Endpoint> all) {
                        endpoints = all;
                    }
                },
                new UpstreamNetwork(client(transport), background.next(), transport.channels(),
                        Ticker.systemTicker(), new ConnectionLimits(config.server())),
                (_, _) -> {
                    throw new IllegalStateException("no endpoint has TLS");
                }, null);
        handler = new ProxyHandler((HandlerConfig.Proxy) route.handler(), route, upstream);
        server = HandlerServer.within((_, http) -> (pipeline, watch) -> {
            pipeline.addLast(writes);
            http.detected().addTo(pipeline, watch);
        }, HandlerServer.route("/**", this::handle));
    }

    /** Returns a bootstrap that records the connections to the origin. */
    private Bootstrap client(Transport transport) {
        var sockets = transport.channels().streams();
        ChannelFactory<Channel> recorded = () -> {
            Channel opened = unregistered ? new EmbeddedChannel() : sockets.newChannel();
            toOrigin.add(opened);
            return opened;
        };
        return new Bootstrap().channelFactory(recorded)
                .option(ChannelOption.ALLOCATOR, Transport.ALLOCATOR);
    }

    private void handle(Exchange exchange) {
        ofRequests.add((EventLoop) exchange.eventLoop());
        handler.handle(new ExchangeWrapper(exchange) {
            @Override
            public Optional<Upgrade> upgrade() {
                Error thrown = defect;
                if (thrown != null) {
                    throw thrown;
                }
                return super.upgrade();
            }
        });
    }

    private boolean vanishes() {
        Error later = defectOfRepetition;
        if (later != null) {
            defect = later;
        }
        return later != null;
    }

    @AfterEach
    void stop() throws IOException {
        for (RawClient client : clients) {
            client.close();
        }
        upstream.close();
        server.close();
        origin.close();
        background.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    /** Each loop has a connection of its own, although that of another one is idle. */
    @Test
    void usesConnectionsOfTheClientsLoop() throws IOException {
        Set<EventLoop> met = new HashSet<>();
        while (met.size() < LOOPS && clients.size() < MANY) {
            RawClient client = server.connect();
            clients.add(client);
            assertThat(client.send(request("GET", "/")).read().body()).isEqualTo("ok");
            met.add(ofRequests.getLast());
            assertThat(toOrigin.stream().map(Channel::eventLoop))
                    .containsExactlyInAnyOrder(met.toArray(new EventLoop[0]));
        }
        assertThat(met).hasSize(LOOPS);
        for (RawClient client : clients) {
            assertThat(client.send(request("GET", "/")).read().body()).isEqualTo("ok");
        }
        assertThat(origin.connections()).isEqualTo(LOOPS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 2\r\n\r\nok", "Content-Length: 0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"})
    void sendsASmallResponseInOneWrite(String rest) throws IOException {
        response = HEAD + rest;
        RawClient client = server.connect();
        clients.add(client);
        for (int i = 1; i <= 3; i++) {
            assertThat(client.send(request("GET", "/")).read().status()).isEqualTo(200);
            server.settle();
            assertThat(writes.written).hasValue(i);
            assertThat(writes.flushed).hasValue(i);
        }
    }

    /** Neither the client nor the endpoint's connection waits for a request that could not be sent. */
    @Test
    void endsARequestWhoseHeadCannotBeMade() throws IOException {
        assertThat(exchange().body()).isEqualTo("ok");
        defect = new OutOfMemoryError("no direct memory, by this test");
        for (int i = 0; i < 2 * LOOPS; i++) { // on idle connections and on new ones
            assertThat(exchange().status()).isGreaterThanOrEqualTo(500);
            assertThat(upstream.permits().stats().busy()).isZero();
        }
        await().until(() -> upstream.endpoints().getFirst().connecting() == 0
                && upstream.endpoints().getFirst().open() == upstream.endpoints().getFirst().idle());
        defect = null;
        assertThat(exchange().body()).isEqualTo("ok");
        assertThat(upstream.endpoints().getFirst().inFlight()).isZero();
        assertThat(origin.requests()).hasSize(2);
    }

    /** A request that was counted as one that waits would count in the choice of endpoints for good. */
    @Test
    void waitsForNoConnectionThatHasFailedAtOnce() throws IOException {
        unregistered = true;
        assertThat(exchange().status()).isGreaterThanOrEqualTo(500);
        assertThat(endpoints).singleElement().matches(endpoint -> !endpoint.isUsed());
    }

    @Test
    void endsARequestThatCannotBeRepeated() throws IOException {
        assertThat(exchange().body()).isEqualTo("ok");
        defectOfRepetition = new OutOfMemoryError("no direct memory, by this test");
        for (int i = 0; i < 2 * LOOPS && defect == null; i++) { // until one takes the idle connection
            assertThat(exchange().status()).isGreaterThanOrEqualTo(500);
        }
        assertThat(upstream.permits().stats().busy()).isZero();
        assertThat(upstream.endpoints().getFirst().inFlight()).isZero();
    }

    private RawClient.Answer exchange() throws IOException {
        try (RawClient client = server.connect().send(request("GET", "/"))) {
            return client.read();
        }
    }
}
