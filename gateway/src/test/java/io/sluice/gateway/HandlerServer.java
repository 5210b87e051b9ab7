package io.sluice.gateway;

import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.concurrent.Ticker;
import io.sluice.config.GatewayConfig;
import io.sluice.config.read.ConfigLoader;
import io.sluice.config.type.Method;
import io.sluice.config.type.PathTemplate;
import io.sluice.gateway.exchange.ServedRequest;
import io.sluice.gateway.filter.BodyLimit;
import io.sluice.gateway.filter.Cors;
import io.sluice.gateway.filter.Timing;
import io.sluice.gateway.http.HttpProtocols;
import io.sluice.gateway.loop.PeriodicSteps;
import io.sluice.gateway.net.Acceptors;
import io.sluice.gateway.net.ConnectionInitializer;
import io.sluice.gateway.net.ConnectionWatches;
import io.sluice.gateway.net.Connections;
import io.sluice.gateway.net.OpenPort;
import io.sluice.gateway.net.Protocol;
import io.sluice.gateway.net.Transport;
import io.sluice.gateway.routing.Route;
import io.sluice.gateway.routing.RoutingTable;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.Filter;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.TimeLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The gateway's pipeline on a free port, with the handlers of a test. */
public final class HandlerServer implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final Map<String, String> SMALL_BUFFERS = Map.of("sluice.server.send-buffer", "64KiB",
            "sluice.server.receive-buffer", "64KiB");

    /**
     * The event-loop iterations until bytes are read: accepting a connection, registering it, and reading.
     */
    private static final int ROUNDS = 4;

    /** Configurations by their settings: the defaults are long, and read for each of thousands of servers. */
    private static final Map<Map<String, String>, GatewayConfig> CONFIGS = new ConcurrentHashMap<>();

    private final Queue<Ended> ended = new ConcurrentLinkedQueue<>();
    private final Connections connections = new Connections(Duration.ofMillis(100));
    private final EventLoopGroup loops;
    private final LoopBudget budget;
    private final OpenPort listener;

    /** A finished request, as the listener was informed of it. */
    public record Ended(String uri, int status, long bytes, String requestId) {
        private static Ended of(ServedRequest request) {
            return new Ended(request.uri(), request.status(), request.bytesSent(), request.requestId());
        }
    }

    private HandlerServer(Map<String, String> settings, Function<Transport, EventLoopGroup> group,
                          BiFunction<Connections, HttpProtocols, Protocol> outermost, List<Route> routes) {
        GatewayConfig config = CONFIGS.computeIfAbsent(withTransport(settings), HandlerServer::config);
        Transport transport = Transport.of(config.server().transport());
        loops = group.apply(transport);
        budget = LoopBudget.of(loops);
        try {
            var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            var table = new RoutingTable(List.copyOf(routes));
            var http = new HttpProtocols(config.server(), config.http2(), () -> table, connections,
                    exchange -> ended.add(Ended.of(exchange)), Optional.empty(),
                    System::currentTimeMillis);
            var initializer = new ConnectionInitializer(config.server().timeouts(), connections,
                    outermost.apply(connections, http), new ConnectionWatches(PeriodicSteps.OWN_TIMERS));
            listener = transport.bind(config.server(), address, Acceptors.plain(loops, loops), initializer);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static GatewayConfig config(Map<String, String> settings) {
        return new ConfigLoader(settings).loadResource("reference.conf").config();
    }

    public static HandlerServer start(Route... routes) {
        return start(Map.of(), routes);
    }

    /** Starts a server with settings such as {@code sluice.server.transport}. */
    public static HandlerServer start(Map<String, String> settings, Route... routes) {
        return new HandlerServer(settings, HandlerServer::loops, (_, http) -> http.detected(),
                List.of(routes));
    }

    /** Starts a server with small socket buffers, settings, and a clock that only {@link #pass} advances. */
    public static HandlerServer withClock(Map<String, String> settings, Route... routes) {
        return withClock(settings, (_, http) -> http.detected(), routes);
    }

    /** Does the same for connections with an outer protocol, such as TLS, around the given HTTP. */
    public static HandlerServer withClock(Map<String, String> settings,
                                          BiFunction<Connections, HttpProtocols, Protocol> outermost,
                                          Route... routes) {
        var all = new HashMap<>(SMALL_BUFFERS);
        all.putAll(settings);
        all.put("sluice.server.transport", "nio");
        return new HandlerServer(all, _ -> new LoopsWithClock(2, Ticker.newMockTicker()), outermost,
                List.of(routes));
    }

    private static EventLoopGroup loops(Transport transport) {
        return transport.group("test", 2);
    }

    /** Adds the transport under test to settings: {@code -Dtest.transport=epoll}, or NIO by default. */
    static Map<String, String> withTransport(Map<String, String> settings) {
        var all = new HashMap<>(settings);
        all.putIfAbsent("sluice.server.transport", System.getProperty("test.transport", "nio"));
        return all;
    }

    /** Starts a server with small socket buffers, which fill soon if a client does not read. */
    public static HandlerServer withSmallBuffers(Route... routes) {
        return within((_, http) -> http.detected(), routes);
    }

    /** Does the same for connections with an outer protocol, such as TLS, around the given HTTP. */
    public static HandlerServer within(BiFunction<Connections, HttpProtocols, Protocol> outermost,
                                       Route... routes) {
        return new HandlerServer(SMALL_BUFFERS, HandlerServer::loops, outermost, List.of(routes));
    }

    /** Returns a route for all methods, with limits that tests do not reach by chance. */
    public static Route route(String path, RouteHandler handler) {
        return route(path, Set.of(Method.GET, Method.POST, Method.PUT, Method.PATCH, Method.DELETE), DEADLINE,
                handler);
    }

    public static Route route(String path, Set<Method> methods, Duration deadline, RouteHandler handler) {
        return new Route(path, PathTemplate.parse(path), methods, "test",
                limits(deadline, 1 << 20).around(handler));
    }

    /** Returns filters that limit the duration and the body of a request. */
    public static Filter limits(Duration deadline, long maxBody) {
        return Cors.NONE.then(new Timing(TimeLimits.ofTotal(deadline))).then(new BodyLimit(maxBody));
    }

    /** Answers 200 with a text. */
    public static boolean answer(Exchange exchange, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return exchange.respond(HttpResponseStatus.OK, "text/plain",
                exchange.alloc().buffer(Math.max(1, bytes.length)).writeBytes(bytes));
    }

    /** Connects a client that sends any bytes. */
    public RawClient connect() throws IOException {
        return new RawClient(port());
    }

    public int port() {
        return listener.port();
    }

    /**
     * Returns when the server has read all bytes that were sent to it. Not to be called on its event loops.
     */
    public void settle() {
        LoopsWithClock.comeRound(loops, ROUNDS);
    }

    /** Advances the clock of a server {@link #withClock}, after it has settled. */
    public void pass(Duration time) {
        settle();
        ((LoopsWithClock) loops).pass(time);
    }

    /** Returns the finished requests in order. */
    public Queue<Ended> ended() {
        return ended;
    }

    public Connections connections() {
        return connections;
    }

    /** Returns the budget of CPU time for tasks of the event loops. */
    public LoopBudget loopBudget() {
        return budget;
    }

    @Override
    public void close() {
        listener.close();
        connections.closeAll();
        budget.close();
        loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
