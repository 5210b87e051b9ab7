package io.sluice.gateway.admin;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.config.HandlerConfig;
import io.sluice.config.type.Method;
import io.sluice.config.type.PathTemplate;
import io.sluice.gateway.filter.BodyLimit;
import io.sluice.gateway.filter.Cors;
import io.sluice.gateway.filter.Timing;
import io.sluice.gateway.lifecycle.Health;
import io.sluice.gateway.metrics.Meters;
import io.sluice.gateway.openapi.OpenapiHandler;
import io.sluice.gateway.openapi.OpenapiPage;
import io.sluice.gateway.routing.Route;
import io.sluice.gateway.routing.RouteListing;
import io.sluice.gateway.routing.RoutingTable;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.Filter;
import io.sluice.handlers.MediaRange;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.TimeLimits;
import io.sluice.handlers.json.Json;
import io.sluice.handlers.topic.Bus;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The routes of the admin port. They run on an event loop of their own, so that a slow scrape delays only
 * other requests to the admin port.
 */
public final class AdminRoutes {
    private static final String OPEN_METRICS = "application/openmetrics-text";
    private static final String OPEN_METRICS_TYPE = OPEN_METRICS + "; version=1.0.0; charset=utf-8";
    private static final String PROMETHEUS = "text/plain";
    private static final String PROMETHEUS_TYPE = PROMETHEUS + "; version=0.0.4; charset=utf-8";

    private final Meters meters;
    private final Health health;
    private final GatewayState gateway;
    private final SocketsPage socketsPage;
    private final RouteHandler openapi;
    private final Filter hosts;

    /**
     * Creates the routes of a gateway's admin port.
     *
     * @param allowedHosts host names to serve in addition to those that are always allowed
     */
    public AdminRoutes(Meters meters, Health health, GatewayState gateway, Set<String> allowedHosts) {
        this.meters = meters;
        this.health = health;
        this.gateway = gateway;
        socketsPage = new SocketsPage(gateway);
        openapi = new OpenapiHandler(new HandlerConfig.Openapi("Sluice", "1.0.0"), gateway::api,
                () -> List.of("http://localhost:" + gateway.port()));
        hosts = new AdminHosts(allowedHosts);
    }

    /** Returns all routes of the admin port. */
    public RoutingTable table() {
        return new RoutingTable(List.of(
                route("/metrics", this::metrics),
                jsonRoute("/livez", () -> Map.of("status", "alive")),
                route("/readyz", this::readiness),
                route("/ws/**", socketsPage),
                route("/openapi.json", openapi),
                route("/openapi/**", new OpenapiPage(openapi, "'self' http: https:")),
                jsonRoute("/pools", () -> new PoolReport(gateway.pools()).now()),
                jsonRoute("/upstreams", () -> new UpstreamReport(gateway.upstreams()).now()),
                jsonRoute("/buses", this::buses),
                jsonRoute("/routes", () -> RouteListing.withTokens(gateway.routes())),
                jsonRoute("/config", this::config),
                new Route("reload", PathTemplate.parse("/reload"), Set.of(Method.POST), "admin",
                        Cors.NONE.then(new BodyLimit(0)).then(hosts).around(new ReloadHandler(gateway)))));
    }

    private Route jsonRoute(String path, Supplier<Object> value) {
        return route(path, exchange -> json(exchange, HttpResponseStatus.OK, value.get()));
    }

    private Route route(String path, RouteHandler handler) {
        return new Route(path.substring(1), PathTemplate.parse(path), Set.of(Method.GET), "admin",
                Cors.NONE.then(new Timing(TimeLimits.ofTotal(Duration.ofSeconds(10))))
                        .then(new BodyLimit(0)).then(hosts).around(handler));
    }

    private Map<String, Object> buses() {
        var all = new ArrayList<Map<String, Object>>();
        gateway.buses().forEach((name, bus) -> {
            Bus.State state = bus.state();
            var one = new LinkedHashMap<String, Object>();
            one.put("name", name);
            one.put("connected", state.connected());
            one.put("problem", state.problem());
            one.put("queued", state.underWay());
            all.add(one);
        });
        return Map.of("buses", all);
    }

    private Map<String, Object> config() {
        var answer = new LinkedHashMap<>(gateway.config().toMap());
        var sockets = new LinkedHashMap<String, Object>();
        gateway.sockets().forEach((route, open) -> sockets.put(route, open.toTree()));
        answer.put("sockets", sockets);
        return answer;
    }

    private void metrics(Exchange exchange) throws IOException {
        MediaRange range = MediaRange.preferring(OPEN_METRICS, exchange.headers(), PROMETHEUS);
        boolean open = range != null && range.type().equals(OPEN_METRICS); // */* is plain text, for curl
        String type = open ? OPEN_METRICS_TYPE : PROMETHEUS_TYPE;
        exchange.onResponse(answer -> answer.headers().set(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT));
        ByteBuf buffer = exchange.alloc().buffer(64 * 1024);
        try (var out = new ByteBufOutputStream(buffer)) {
            meters.scrape(out, type);
        } catch (IOException | RuntimeException e) {
            buffer.release();
            throw e;
        }
        exchange.respond(HttpResponseStatus.OK, type, buffer);
    }

    /**
     * Responds with the readiness of the gateway, which does not depend on buses. All gateways share a bus:
     * its outage would take all of them out of the load balancer, with routes that need no topics. Routes
     * that need topics respond with 503.
     */
    private void readiness(Exchange exchange) {
        var answer = new LinkedHashMap<String, Object>();
        answer.put("status", health.ready() ? "ready" : "not ready");
        answer.put("gateway", health.state().name().toLowerCase(Locale.ROOT));
        answer.put("databases", health.databases());
        json(exchange, health.ready() ? HttpResponseStatus.OK : HttpResponseStatus.SERVICE_UNAVAILABLE,
                answer);
    }

    static void json(Exchange exchange, HttpResponseStatus status, Object value) {
        exchange.respond(status, Json.MEDIA_TYPE, Unpooled.wrappedBuffer(Json.bytes(value)));
    }
}
