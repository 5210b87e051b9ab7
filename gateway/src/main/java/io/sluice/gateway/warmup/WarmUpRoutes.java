package io.sluice.gateway.warmup;

import io.sluice.config.HandlerConfig;
import io.sluice.config.PoolConfig;
import io.sluice.config.SocketConfig;
import io.sluice.config.TimeoutsConfig;
import io.sluice.config.type.ByteSize;
import io.sluice.config.type.Method;
import io.sluice.config.type.NamedSql;
import io.sluice.config.type.PathTemplate;
import io.sluice.gateway.exchange.RequestObserver;
import io.sluice.gateway.filter.BodyLimit;
import io.sluice.gateway.filter.Cors;
import io.sluice.gateway.filter.MemoryShedding;
import io.sluice.gateway.filter.Timing;
import io.sluice.gateway.metrics.Meters;
import io.sluice.gateway.metrics.RequestMeters;
import io.sluice.gateway.routing.Route;
import io.sluice.gateway.routing.RoutingTable;
import io.sluice.gateway.websocket.SocketRoute;
import io.sluice.gateway.websocket.WebSocketUpgrade;
import io.sluice.handlers.Filter;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.TimeLimits;
import io.sluice.handlers.http.CpuHandler;
import io.sluice.handlers.http.EchoHandler;
import io.sluice.handlers.http.JsonHandler;
import io.sluice.handlers.http.TextHandler;
import io.sluice.handlers.query.QueryHandler;
import io.sluice.handlers.upstream.UpstreamNetwork;
import io.sluice.handlers.websocket.WebSocketEchoHandler;
import io.sluice.offload.Offload;
import io.sluice.offload.PoolObserver;
import io.sluice.offload.jdbc.Database;
import io.sluice.offload.spill.SpillSpace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Routes for the warm-up, served by the same handlers as a gateway's real ones and without side effects; no
 * client can reach them. They have a separate pool and meters. The connections to databases are the gateway's
 * real ones, which the warm-up thus opens.
 */
public final class WarmUpRoutes implements AutoCloseable {
    static final String SOCKET_PATH = "/socket";

    private static final Duration LONG = Duration.ofSeconds(10);
    /** Bytes of a request body: what fits into the smallest {@code http2.initial-window}. */
    private static final int BODY = 1024;
    private static final ByteSize BYTES = new ByteSize(BODY);
    private static final Filter FILTERS = Cors.NONE.then(new Timing(TimeLimits.ofTotal(LONG)))
            .then(new MemoryShedding()).then(new BodyLimit(BODY));
    private static final TimeoutsConfig TIMEOUTS = new TimeoutsConfig(LONG, LONG, LONG, LONG, BYTES);
    private static final SocketConfig SOCKET = new SocketConfig(BYTES, BYTES, true, BYTES, LONG, LONG, LONG,
            Set.of(), Optional.empty());

    private final Offload pool = Offload.start("warm-up",
            PoolConfig.of(PoolConfig.Kind.PLATFORM, 2, 100, LONG), PoolObserver.NONE);
    private final Meters meters = new Meters();
    private final List<Database> databases;
    private final Optional<UpstreamNetwork> network;
    private volatile RoutingTable table = new RoutingTable(List.of());
    /** Null before the port is known, and without a network. */
    private volatile @Nullable WarmUpUpstream upstream;

    /**
     * Creates an empty set of routes.
     *
     * @param databases each gets a route with a {@code SELECT 1}
     * @param network by which the proxy reaches its endpoint; empty if the gateway has no upstreams
     */
    public WarmUpRoutes(Map<String, Database> databases, Optional<UpstreamNetwork> network) {
        this.databases = List.copyOf(databases.values());
        this.network = network;
    }

    /**
     * Creates the routes.
     *
     * @param port the port that serves them
     */
    public void serve(int port) {
        var routes = new ArrayList<>(List.of(
                route("/text", new TextHandler(new HandlerConfig.Text("Hello, World!", "text/plain", 200))),
                route("/json", new JsonHandler(new HandlerConfig.Json(
                        Map.of("status", "ok", "data", Map.of("a", 1)), Optional.of("time"), 200))),
                route("/echo", new EchoHandler()),
                route("/cpu", new CpuHandler(new HandlerConfig.Cpu(
                        HandlerConfig.Cpu.Algorithm.FIBONACCI, "n", 20, 0, ""), pool)),
                route(SOCKET_PATH, new WebSocketUpgrade(new WebSocketEchoHandler(), new SocketRoute<>(
                        SOCKET_PATH, meters.scope().sockets(SOCKET_PATH), TIMEOUTS, SOCKET, "")))));
        for (int i = 0; i < databases.size(); i++) {
            routes.add(query(i, databases.get(i)));
        }
        network.ifPresent(of -> {
            var added = new WarmUpUpstream(port, of);
            upstream = added;
            routes.add(route(WarmUpUpstream.PREFIX + "/**", added.handler()));
        });
        table = new RoutingTable(routes);
    }

    /** Returns the routes; none before the port is known. */
    public RoutingTable table() {
        return table;
    }

    /** Returns a route; the name of a database may be no segment of a path. */
    private Route query(int index, Database database) {
        PathTemplate path = PathTemplate.parse("/row/" + index);
        var config = HandlerConfig.Query.ofRow("database", NamedSql.parse("SELECT 1 AS one"));
        return route(path.toString(), new QueryHandler(config, path, 0, database.withPool(pool),
                SpillSpace.NONE));
    }

    private static Route route(String path, RouteHandler handler) {
        return new Route(path, PathTemplate.parse(path), Set.of(Method.GET, Method.POST), "warm-up",
                FILTERS.around(handler));
    }

    /** Returns the meters of the routes' requests. */
    public RequestObserver observer() {
        return new RequestMeters(meters);
    }

    /** One request for each route except {@link #SOCKET_PATH}. */
    List<WarmUpRequest> requests() {
        var requests = new ArrayList<>(List.of(WarmUpRequest.get("/text"), WarmUpRequest.get("/json"),
                WarmUpRequest.get("/cpu"), WarmUpRequest.post("/echo", new byte[BODY])));
        for (int i = 0; i < databases.size(); i++) {
            requests.add(WarmUpRequest.get("/row/" + i));
        }
        if (network.isPresent()) {
            requests.add(WarmUpRequest.get(WarmUpUpstream.PREFIX + "/text"));
            requests.add(WarmUpRequest.post(WarmUpUpstream.PREFIX + "/echo", new byte[BODY]));
        }
        return requests;
    }

    /** Returns whether each reachable database has opened all its connections. */
    boolean connected() {
        return databases.stream().allMatch(database -> !database.reachable() || database.isFull());
    }

    @Override
    public void close() {
        WarmUpUpstream started = upstream;
        if (started != null) {
            started.close();
        }
        pool.close();
        meters.close();
    }
}
