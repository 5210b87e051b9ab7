package io.sluice.gateway;

import io.netty.buffer.ByteBuf;
import io.sluice.config.GatewayConfig;
import io.sluice.config.HandlerConfig;
import io.sluice.config.RouteConfig;
import io.sluice.config.SocketConfig;
import io.sluice.gateway.exchange.RequestObserver;
import io.sluice.gateway.filter.Access;
import io.sluice.gateway.filter.BodyLimit;
import io.sluice.gateway.filter.Compression;
import io.sluice.gateway.filter.Cors;
import io.sluice.gateway.filter.MemoryShedding;
import io.sluice.gateway.filter.Timing;
import io.sluice.gateway.filter.Tokens;
import io.sluice.gateway.metrics.Meters;
import io.sluice.gateway.routing.ErrorMapper;
import io.sluice.gateway.routing.Route;
import io.sluice.gateway.routing.RouteTable;
import io.sluice.gateway.routing.Router;
import io.sluice.gateway.rpc.RpcHandler;
import io.sluice.gateway.websocket.WebSocketUpgrade;
import io.sluice.handlers.Filter;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.TimeLimits;
import io.sluice.handlers.WebSocket;
import io.sluice.handlers.WebSocketHandler;
import io.sluice.handlers.files.FilesHandler;
import io.sluice.handlers.http.CpuHandler;
import io.sluice.handlers.http.DelayHandler;
import io.sluice.handlers.http.EchoHandler;
import io.sluice.handlers.http.IndexHandler;
import io.sluice.handlers.http.JsonHandler;
import io.sluice.handlers.http.QueryHandler;
import io.sluice.handlers.http.TextHandler;
import io.sluice.handlers.websocket.CodeHandler;
import io.sluice.handlers.websocket.PublishHandler;
import io.sluice.handlers.websocket.TopicHandler;
import io.sluice.handlers.websocket.WebSocketEchoHandler;
import io.sluice.offload.Offload;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** From configuration to handlers: a new kind of route is one line here. */
final class Routes {
    private final Backends backends;
    private final Map<String, Offload> pools;
    private final Meters meters;
    private final RequestObserver listener;
    private final List<Route> routes = new ArrayList<>();
    /** There before the first request is. */
    private Router router;
    private int maxRequestLine;

    /**
     * Routes to these.
     *
     * @param listener is told of requests that come over a WebSocket
     */
    Routes(Backends backends, Meters meters, RequestObserver listener) {
        this.backends = backends;
        pools = backends.pools();
        this.meters = meters;
        this.listener = listener;
    }

    /**
     * Finds the way to all that are configured.
     *
     * @throws StartException where one cannot serve
     */
    Router of(GatewayConfig config) throws StartException {
        var tokens = new Tokens(config.tokens());
        maxRequestLine = config.server().maxRequestLine().intBytes();
        for (Map.Entry<String, RouteConfig> entry : config.routes().entrySet()) {
            RouteConfig route = entry.getValue();
            RouteHandler handler = handler(entry.getKey(), route);
            Cors cors = route.cors().map(pages -> Cors.of(pages, route.methods())).orElse(Cors.NONE);
            routes.add(new Route(entry.getKey(), route.path(), route.path().toString(), route.methods(),
                    kind(route.handler()), route.tokens().orElse(Set.of()), cors,
                    filters(route, cors, tokens, handler instanceof WebSocketUpgrade).around(handler)));
        }
        router = new Router(routes);
        return router;
    }

    /** What stands between each request and its handler, the outermost first. */
    private static Filter filters(RouteConfig route, Cors cors, Tokens tokens, boolean forSockets) {
        Access access = tokens.access(route.tokens());
        return cors
                .then(new Timing(new TimeLimits(route.deadline(), route.firstByte(), route.idle())))
                .then(new MemoryShedding())
                .then(forSockets ? access.toSockets() : access)
                .then(new BodyLimit(route.maxBody().bytes()))
                .then(route.compression().<Filter>map(Compression::of).orElse(next -> next));
    }

    /** All there are. */
    List<Route> all() {
        return List.copyOf(routes);
    }

    private RouteHandler handler(String name, RouteConfig route) throws StartException {
        return switch (route.handler()) {
            case HandlerConfig.Text text -> new TextHandler(text);
            case HandlerConfig.Json json -> new JsonHandler(json);
            case HandlerConfig.Echo _ -> new EchoHandler();
            case HandlerConfig.Index _ -> new IndexHandler(() -> RouteTable.of(routes));
            case HandlerConfig.Cpu cpu -> new CpuHandler(cpu, pools.get(cpu.pool()));
            case HandlerConfig.Delay delay ->
                    new DelayHandler(delay, delay.pool().map(pools::get).orElse(null));
            case HandlerConfig.Query query ->
                    new QueryHandler(query, route.path(),
                    backends.databases().get(query.database()), backends.spillSpace());
            case HandlerConfig.Files files -> files(name, files, route);
            case HandlerConfig.WsEcho echo -> sockets(route, echo.socket(), new WebSocketEchoHandler());
            case HandlerConfig.WsCode code -> sockets(route, code.socket(),
                    new CodeHandler(backends.programs().get(name),
                            route.deadline().orElse(Duration.ofDays(1)), Routes::problem));
            case HandlerConfig.WsTopic topic -> sockets(route, topic.socket(),
                    new TopicHandler(topic, backends.topics().get(topic.topics())));
            case HandlerConfig.Publish publish ->
                    new PublishHandler(backends.topics().get(publish.topics()));
            case HandlerConfig.WsRpc rpc -> sockets(route, rpc.socket(),
                    new RpcHandler(rpc, maxRequestLine, () -> router, listener));
        };
    }

    private RouteHandler files(String name, HandlerConfig.Files files, RouteConfig route)
            throws StartException {
        try {
            return new FilesHandler(files, route.path(), pools.get(files.pool()),
                    backends.keptFiles());
        } catch (IOException | InvalidPathException e) {
            throw new StartException("sluice.routes.%s.directory: %s: %s (expected: a directory to be read)"
                    .formatted(name, files.directory(), e.getClass().getSimpleName()), e);
        }
    }

    private static ByteBuf problem(Throwable cause, WebSocket socket) {
        return ErrorMapper.answer(cause, socket.id(), socket.alloc()).content();
    }

    private RouteHandler sockets(RouteConfig route, SocketConfig config, WebSocketHandler handler) {
        String uri = route.path().toString();
        return new WebSocketUpgrade(handler, config, meters.sockets(uri), uri);
    }

    static String kind(HandlerConfig handler) {
        return handler.getClass().getSimpleName().replaceAll("(?<=.)(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
    }
}
