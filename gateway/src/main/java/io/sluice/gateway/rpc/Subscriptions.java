package io.sluice.gateway.rpc;

import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.config.HandlerConfig;
import io.sluice.gateway.limits.RequestMemory;
import io.sluice.gateway.limits.RequestMemoryPart;
import io.sluice.gateway.net.LoopTurns;
import io.sluice.gateway.routing.RoutedRequest;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.WebSocket;
import io.sluice.handlers.topic.Position;
import io.sluice.handlers.topic.Topics;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

/** The subscriptions to topics of one WebSocket. Confined to its event loop. */
final class Subscriptions {
    /** The kinds of routes whose topics can be subscribed. */
    private static final Set<String> KINDS = Set.of("ws-topic", "events");

    private final WebSocket socket;
    private final Supplier<HandlerConfig.WsRpc> config;
    private final RequestMemoryPart memory;
    /** The open subscriptions, by the JSON of their ids, as the client has written it. */
    private final Map<String, Subscription> open = new LinkedHashMap<>(0);
    /** Subscriptions with messages for when the client reads again. */
    private final Set<Subscription> waiting = new LinkedHashSet<>(0);
    private boolean turnAwaited;

    Subscriptions(WebSocket socket, Supplier<HandlerConfig.WsRpc> config, RequestMemoryPart memory) {
        this.socket = socket;
        this.config = config;
        this.memory = memory;
    }

    /** Returns the handler of a request whose route has topics; 404 if it has none. */
    static RouteHandler required(RoutedRequest request) {
        return KINDS.contains(request.kind()) ? request.handler() : _ -> {
            throw new HttpException(HttpResponseStatus.NOT_FOUND,
                    "subscribe: %s (expected: the path of a topic)".formatted(request.path()));
        };
    }

    /**
     * Responds, after the filters of the route, and begins a subscription when the response is sent.
     *
     * @param id the JSON value of its id
     * @param after the last position that the client has seen; empty for that of the query, or the present
     */
    void begin(String id, Topics topics, String topic, String after, RpcExchange exchange) {
        if (open.containsKey(id)) {
            throw new HttpException(HttpResponseStatus.CONFLICT,
                    "id: " + id + " (expected: not that of another subscription)");
        }
        if (open.size() >= config.get().maxSubscriptions()) {
            throw new HttpException(HttpResponseStatus.TOO_MANY_REQUESTS, "subscribe (expected: at most "
                    + config.get().maxSubscriptions() + " subscriptions of a socket)");
        }
        String seen = Position.normalized(after.isEmpty()
                ? Objects.requireNonNullElse(exchange.queryParameter("after"), "") : after);
        var begun = new Subscription(this, socket, config, id, topics, topic, exchange);
        if (!memory.hasRoom(begun.heap())) {
            throw RequestMemory.refusal();
        }
        open.put(id, begun);
        memory.take(begun.heap());
        exchange.onSent(() -> {
            if (open.get(id) == begun) { // the response may have waited for others
                begun.begin(seen);
            }
        });
        if (!exchange.respond(ok())) {
            ended(begun); // it has been refused meanwhile
        }
    }

    /** Ends a subscription, and responds. */
    void end(String id, Exchange exchange) {
        Subscription ended = open.get(id);
        if (ended == null) {
            throw new HttpException(HttpResponseStatus.NOT_FOUND,
                    "unsubscribe: " + id + " (expected: the id of a subscription)");
        }
        ended.leave();
        exchange.respond(ok());
    }

    private static DefaultFullHttpResponse ok() {
        return new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    }

    void ended(Subscription one) {
        if (open.remove(one.id(), one)) {
            waiting.remove(one);
            memory.giveBack(one.heap());
        }
    }

    /** Notes a subscription that has something to send to a client that does not read. */
    void await(Subscription one) {
        waiting.add(one);
    }

    /** Sends what waits, as the client reads again; in turns, since each may have much to send. */
    void writable() {
        long begun = System.nanoTime();
        while (hasTurn() && !LoopTurns.isOver(begun)) {
            Subscription next = waiting.iterator().next();
            waiting.remove(next);
            next.writable();
        }
        if (hasTurn() && !turnAwaited) {
            turnAwaited = true;
            LoopTurns.ofThisLoop().add(socket.eventLoop(), this::nextTurn);
        }
    }

    private boolean hasTurn() {
        return !waiting.isEmpty() && socket.isWritable();
    }

    private void nextTurn() {
        turnAwaited = false;
        writable();
    }

    /** Ends all, as the socket is closed; in turns, since each may have to drop many messages. */
    void close() {
        long begun = System.nanoTime();
        while (!open.isEmpty() && !LoopTurns.isOver(begun)) {
            open.values().iterator().next().leave();
        }
        if (!open.isEmpty()) {
            LoopTurns.ofThisLoop().add(socket.eventLoop(), this::close);
        }
    }
}
