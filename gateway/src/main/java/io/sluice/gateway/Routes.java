package io.sluice.gateway;

import io.netty.buffer.ByteBuf;
import io.sluice.config.GatewayConfig;
import io.sluice.config.HandlerConfig;
import io.sluice.config.PoolConfig;
import io.sluice.config.RouteConfig;
import io.sluice.config.read.Plugins;
import io.sluice.config.read.TunnelConfig;
import io.sluice.config.topic.LiveConfig;
import io.sluice.gateway.admin.MeteredPool;
import io.sluice.gateway.exchange.RequestObserver;
import io.sluice.gateway.filter.Access;
import io.sluice.gateway.filter.Cors;
import io.sluice.gateway.filter.RouteFilters;
import io.sluice.gateway.filter.Tokens;
import io.sluice.gateway.openapi.ApiDescription;
import io.sluice.gateway.openapi.OpenapiHandler;
import io.sluice.gateway.openapi.OpenapiPage;
import io.sluice.gateway.plugin.PluginException;
import io.sluice.gateway.plugin.PluginJars;
import io.sluice.gateway.routing.ErrorMapper;
import io.sluice.gateway.routing.Route;
import io.sluice.gateway.routing.RouteListing;
import io.sluice.gateway.routing.RoutingTable;
import io.sluice.gateway.rpc.RpcHandler;
import io.sluice.gateway.websocket.SocketRoute;
import io.sluice.gateway.websocket.WebSocketUpgrade;
import io.sluice.handlers.Filter;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.WebSocket;
import io.sluice.handlers.WebSocketHandler;
import io.sluice.handlers.files.FilesHandler;
import io.sluice.handlers.files.KeptFiles;
import io.sluice.handlers.http.CpuHandler;
import io.sluice.handlers.http.DelayHandler;
import io.sluice.handlers.http.EchoHandler;
import io.sluice.handlers.http.IndexHandler;
import io.sluice.handlers.http.JsonHandler;
import io.sluice.handlers.http.TextHandler;
import io.sluice.handlers.live.LiveHandler;
import io.sluice.handlers.live.LiveResults;
import io.sluice.handlers.presence.PresenceHandler;
import io.sluice.handlers.proxy.ProxyHandler;
import io.sluice.handlers.publish.PublishHandler;
import io.sluice.handlers.query.QueryHandler;
import io.sluice.handlers.rights.Right;
import io.sluice.handlers.rights.TopicAccess;
import io.sluice.handlers.topic.EventsHandler;
import io.sluice.handlers.topic.TopicGate;
import io.sluice.handlers.topic.Topics;
import io.sluice.handlers.websocket.CodeHandler;
import io.sluice.handlers.websocket.TopicHandler;
import io.sluice.handlers.websocket.WebSocketEchoHandler;
import io.sluice.offload.Offload;
import io.sluice.offload.spill.SpillSpace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Builds the routes of a configuration: their handlers and filters. A new kind of handler takes one line
 * here.
 */
final class Routes {
    private final Resources resources;
    private final ApiDescription api;
    private final Shared shared;
    private final GatewayConfig config;
    private final Tokens tokens;
    private final List<Route> routes = new ArrayList<>();

    /**
     * The objects that the routes of all sites share.
     *
     * @param current returns the routes of the current site, for requests over a WebSocket
     * @param observer observes requests that come over a WebSocket
     * @param spillSpace disk space that buffers responses to slow clients
     * @param keptFiles files that stay open while responses are sent from them
     * @param plugins the handlers and filters of other jars
     */
    record Shared(Supplier<RoutingTable> current, RequestObserver observer, SpillSpace spillSpace,
                  KeptFiles keptFiles, PluginJars plugins) {
    }

    private Routes(GatewayConfig config, Resources resources, ApiDescription api, Shared shared) {
        this.config = config;
        this.resources = resources;
        this.api = api;
        this.shared = shared;
        tokens = new Tokens(config.tokens());
    }

    /**
     * Builds all configured routes. Blocks.
     *
     * @param api describes these routes
     * @throws StartException if a route cannot be served
     */
    static RoutingTable of(GatewayConfig config, Resources resources, ApiDescription api, Shared shared)
            throws StartException, InterruptedException {
        return new Routes(config, resources, api, shared).table();
    }

    private RoutingTable table() throws StartException, InterruptedException {
        for (Map.Entry<String, RouteConfig> entry : config.routes().entrySet()) {
            try {
                routes.add(route(entry.getKey(), entry.getValue()));
            } catch (PluginException e) {
                throw new StartException("sluice.routes.%s: %s".formatted(entry.getKey(), e.getMessage()), e);
            }
        }
        return new RoutingTable(routes);
    }

    private Route route(String name, RouteConfig route)
            throws StartException, PluginException, InterruptedException {
        var pools = new HashMap<String, PoolConfig>();
        RouteHandler handler = handler(name, route, pools);
        Cors cors = route.cors().map(pages -> Cors.of(pages, route.methods())).orElse(Cors.NONE);
        Filter plugged = shared.plugins().filters(route.filters(), this::pool);
        Access access = tokens.access(route.tokens());
        return new Route(name, route.path(), route.methods(), Plugins.name(route.handler().getClass()),
                route.tokens().orElse(Set.of()), access::admits, cors,
                resources.tunnels(name, List.of(TunnelConfig.of(config, route), pools)),
                RouteFilters.of(route, cors, tokens, plugged).around(handler));
    }

    /**
     * Returns the handler of a route.
     *
     * @param pools gets the configuration of pools that a plug-in has asked for
     */
    private RouteHandler handler(String name, RouteConfig route, Map<String, PoolConfig> pools)
            throws StartException, PluginException, InterruptedException {
        return switch (route.handler()) {
            case HandlerConfig.Text text -> new TextHandler(text);
            case HandlerConfig.Json json -> new JsonHandler(json);
            case HandlerConfig.Echo _ -> new EchoHandler();
            case HandlerConfig.Index _ -> new IndexHandler(() -> RouteListing.of(routes));
            case HandlerConfig.Openapi openapi -> openapi(openapi, route);
            case HandlerConfig.Cpu cpu -> new CpuHandler(cpu, pool(cpu.pool()));
            case HandlerConfig.Delay delay ->
                    new DelayHandler(delay, delay.pool().map(this::pool).orElse(null));
            case HandlerConfig.Query query -> query(name, route, query);
            case HandlerConfig.Files files ->
                    new FilesHandler(files, route.path(), pool(files.pool()), shared.keptFiles());
            case HandlerConfig.Proxy proxy ->
                    new ProxyHandler(proxy, route,
                    Resources.require(resources.upstreams(), proxy.upstream()).upstream());
            case HandlerConfig.WsEcho echo ->
                    sockets(name, route, echo, "", _ -> new WebSocketEchoHandler());
            case HandlerConfig.WsCode code -> wsCode(name, route, code);
            case HandlerConfig.WsTopic topic -> wsTopic(name, route, topic);
            case HandlerConfig.Events events -> events(events);
            case HandlerConfig.Publish publish -> publish(publish);
            case HandlerConfig.Presence presence -> presence(presence);
            case HandlerConfig.WsRpc rpc -> sockets(name, route, rpc, rpc,
                    current -> new RpcHandler(current, config.server().maxRequestLine().intBytes(),
                            shared.current(), shared.observer()));
            case HandlerConfig.Plugin plugin -> plugin(plugin, pools);
        };
    }

    private RouteHandler query(String name, RouteConfig route, HandlerConfig.Query query)
            throws StartException, InterruptedException {
        var handler = new QueryHandler(query, route.path(), route.maxBody().bytes(),
                Resources.require(resources.databases(), query.database()), shared.spillSpace());
        LiveConfig live = query.live().orElse(null);
        if (live == null) {
            return handler;
        }
        Topics topics = topics(live.topics());
        return new LiveHandler(handler, resources.topics().live(name, route.path().toString(),
                TunnelConfig.of(config, route),
                () -> new LiveResults(live, handler, topics, route.deadline(), ErrorMapper::answer)));
    }

    private RouteHandler openapi(HandlerConfig.Openapi openapi, RouteConfig route) {
        var document = new OpenapiHandler(openapi, () -> api, List::of);
        return route.isOpenapiPage()
                ? new OpenapiPage(tokens.access(route.tokens()).around(document), "'self'")
                : document;
    }

    private RouteHandler wsCode(String name, RouteConfig route, HandlerConfig.WsCode code)
            throws StartException, InterruptedException {
        var setup = new CodeHandler.Setup(Resources.require(resources.programs(), name),
                route.deadline().orElse(Duration.ofDays(1)));
        return sockets(name, route, code, setup, current -> new CodeHandler(current, Routes::problem));
    }

    private static ByteBuf problem(Throwable cause, WebSocket socket) {
        return ErrorMapper.answer(cause, socket.id(), socket.alloc()).content();
    }

    private RouteHandler wsTopic(String name, RouteConfig route, HandlerConfig.WsTopic topic)
            throws StartException, InterruptedException {
        Topics topics = topics(topic.topics());
        return subscribing(topics).around(sockets(name, route, topic, topic,
                current -> new TopicHandler(current, topics)));
    }

    private RouteHandler events(HandlerConfig.Events events) {
        Topics topics = topics(events.topics());
        return subscribing(topics).around(new EventsHandler(events, topics));
    }

    private RouteHandler publish(HandlerConfig.Publish publish) {
        Topics topics = topics(publish.topics());
        return access(Right.PUBLISH, topics).around(new PublishHandler(topics));
    }

    private RouteHandler presence(HandlerConfig.Presence presence) {
        Topics topics = topics(presence.topics());
        return access(Right.SUBSCRIBE, topics)
                .around(new PresenceHandler(topics.presence().orElseThrow()));
    }

    /** Returns the filters of a route by which clients subscribe. */
    private static Filter subscribing(Topics topics) {
        return access(Right.SUBSCRIBE, topics).then(new TopicGate(topics));
    }

    private static Filter access(Right right, Topics topics) {
        return new TopicAccess(right, topics::rights);
    }

    private Topics topics(String set) {
        return resources.topics().require(set);
    }

    /** Returns the handler of a plug-in, and notes the configuration of the pools that it asks for. */
    private RouteHandler plugin(HandlerConfig.Plugin plugin, Map<String, PoolConfig> pools)
            throws PluginException {
        return shared.plugins().handler(plugin, pool -> {
            Offload asked = pool(pool);
            pools.put(pool, Resources.require(config.offload().pools(), pool));
            return asked;
        });
    }

    /**
     * Returns the handler that accepts WebSockets on a route.
     *
     * @param settings configuration that open WebSockets follow at a reload
     * @param handler makes the handler of messages from a supplier of the current settings
     */
    private <T> RouteHandler sockets(String name, RouteConfig route, HandlerConfig.ForSockets config,
                                     T settings, Function<Supplier<T>, WebSocketHandler> handler)
            throws StartException, InterruptedException {
        SocketRoute<T> sockets = resources.sockets(name, route.path().toString(), config, settings);
        return new WebSocketUpgrade(handler.apply(sockets), sockets);
    }

    /**
     * Returns a pool.
     *
     * @throws IllegalArgumentException if there is none of this name: a plug-in may ask for any
     */
    private Offload pool(String name) {
        MeteredPool pool = resources.pools().get(name);
        if (pool == null) {
            throw new IllegalArgumentException(
                    "pool %s (expected: one of %s)".formatted(name, resources.pools().keySet()));
        }
        return pool.offload();
    }
}
