package io.sluice.gateway.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.util.AttributeMap;
import io.netty.util.DefaultAttributeMap;
import io.sluice.config.HandlerConfig;
import io.sluice.gateway.exchange.RequestObserver;
import io.sluice.gateway.exchange.ServedRequest;
import io.sluice.gateway.limits.BodyMemory;
import io.sluice.gateway.limits.RequestMemory;
import io.sluice.gateway.limits.RequestMemoryPart;
import io.sluice.gateway.net.LoopTurns;
import io.sluice.gateway.peer.Credential;
import io.sluice.gateway.routing.RoutedRequest;
import io.sluice.gateway.routing.RoutingTable;
import io.sluice.handlers.Client;
import io.sluice.handlers.MemoryShare;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.WebSocket;
import io.sluice.handlers.WebSocketListener;
import io.sluice.handlers.topic.TopicGate;
import io.sluice.offload.ClientNetwork;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One WebSocket and its running requests. Confined to the socket's event loop. */
final class RpcSession implements WebSocketListener {
    /**
     * The most bytes of bodies that running requests hold before the socket is paused; a small compressed
     * message can inflate to many bytes.
     */
    private static final int MAX_BODIES = 4 << 20;
    /** The bytes of responses for which a socket is not closed while memory is short. */
    private static final int LITTLE = 64 * 1024;

    private final Supplier<HandlerConfig.WsRpc> config;
    private final int maxRequestLine;
    private final Supplier<RoutingTable> routes;
    private final RequestObserver observer;
    private final HttpHeaders inherited;
    private final Client client;
    private final Credential credential;
    private final Set<RpcExchange> running = new LinkedHashSet<>();
    private final AttributeMap attributes = new DefaultAttributeMap();
    private final RequestMemoryPart heap;
    private final BodyMemory bodies;
    private final ResponseMemory memory = new ResponseMemory(this::onMemoryReleased);
    private WebSocket socket;
    private Inbox inbox;
    private Outbox outbox;
    /** Null until there is one. */
    private @Nullable Subscriptions subscriptions;
    private long requests;
    private long bodyBytes;
    /** The length of the last response if the client has not read all of it, in bytes. */
    private int unread;
    private boolean paused;
    private boolean closed;

    RpcSession(Supplier<HandlerConfig.WsRpc> config, int maxRequestLine, Supplier<RoutingTable> routes,
               RequestObserver observer, HttpHeaders inherited, Client client, Credential credential,
               RequestMemoryPart heap) {
        this.config = config;
        this.maxRequestLine = maxRequestLine;
        this.routes = routes;
        this.observer = observer;
        this.inherited = inherited;
        this.client = client;
        this.credential = credential;
        this.heap = heap;
        bodies = new BodyMemory(ClientNetwork.of(client.address().getAddress()));
    }

    WebSocket socket() {
        return socket;
    }

    Outbox outbox() {
        return outbox;
    }

    /** Returns the memory of the responses. */
    ResponseMemory memory() {
        return memory;
    }

    /** Returns the attributes that all requests share. */
    AttributeMap attributes() {
        return attributes;
    }

    /** Returns the client that opened the socket. */
    Client client() {
        return client;
    }

    /** Returns the credential with which the socket was opened, and that of its requests. */
    Credential credential() {
        return credential;
    }

    /** Returns the longest body of a response, in bytes. */
    long maxAnswer() {
        return config.get().maxAnswer().bytes();
    }

    @Override
    public void opened(WebSocket opened) {
        socket = opened;
        inbox = new Inbox(this, opened, inherited, maxRequestLine);
        outbox = new Outbox(opened);
    }

    @Override
    public void text(WebSocket from, ByteBuf text) {
        inbox.add(text);
    }

    /** Begins the request of a message that has been read. */
    void received(RpcMessage message) {
        switch (message) {
            case RpcMessage.Request request -> {
                RoutedRequest routed = routed(request.head(), request.path());
                RpcExchange exchange = exchange(request, routed, request.body());
                begin(exchange, admitted(exchange, routed.handler()));
            }
            case RpcMessage.Subscribe subscribe -> {
                RoutedRequest routed = routed(subscribe.head(), subscribe.path());
                RpcExchange exchange = exchange(subscribe, routed, null);
                exchange.attr(TopicGate.SUBSCRIBE).set((topics, topic) -> subscriptions()
                        .begin(subscribe.id(), topics, topic, subscribe.after(), exchange));
                begin(exchange, admitted(exchange, Subscriptions.required(routed)));
            }
            case RpcMessage.Unsubscribe unsubscribe ->
                    begin(exchange(unsubscribe, unrouted(unsubscribe.head()), null),
                            exchange -> subscriptions().end(unsubscribe.subscription(), exchange));
            case RpcMessage.Invalid invalid ->
                    begin(exchange(invalid, unrouted(invalid.head()), null), _ -> {
                        throw invalid.problem();
                    });
        }
        pauseOrResume();
    }

    private Subscriptions subscriptions() {
        if (subscriptions == null) {
            subscriptions = new Subscriptions(socket, config, heap);
        }
        return subscriptions;
    }

    private RoutedRequest routed(HttpRequest head, String path) {
        return routes.get().route(head, nextId(), path, socket.eventLoop().ticker());
    }

    private RoutedRequest unrouted(HttpRequest head) {
        return RoutedRequest.unrouted(head, nextId(), "", socket.eventLoop().ticker());
    }

    private String nextId() {
        return socket.id() + '-' + ++requests;
    }

    private RpcExchange exchange(RpcMessage message, RoutedRequest request, @Nullable ByteBuf body) {
        return new RpcExchange(this, message.id(), request, new RpcBody(body));
    }

    /** Returns the handler of a request, or a refusal if there is no memory for it. */
    private RouteHandler admitted(RpcExchange exchange, RouteHandler handler) {
        boolean hasHeap = heap.hasRoom(exchange.heap());
        int body = exchange.bodySize() > MemoryShare.FREE_BODY ? exchange.bodySize() : 0;
        if (hasHeap && bodies.hasRoom(body, 0)) {
            bodies.take(body);
            exchange.countBody(body);
            return handler;
        }
        exchange.dropBody();
        return _ -> {
            throw hasHeap ? BodyMemory.refusal() : RequestMemory.refusal();
        };
    }

    private void begin(RpcExchange exchange, RouteHandler handler) {
        running.add(exchange);
        heap.take(exchange.heap());
        bodyBytes += exchange.bodySize();
        socket.beginRequest();
        exchange.start(handler);
    }

    /**
     * Pauses or resumes the socket. It accepts one message at a time, up to the configured number of
     * requests, and none from a client that does not read its responses, or still has many to read.
     */
    void pauseOrResume() {
        boolean wait = inbox.isScanning() || running.size() >= config.get().maxInFlight()
                || bodyBytes >= MAX_BODIES || memory.isFull() || !socket.isWritable();
        if (wait == paused || closed) {
            return;
        }
        paused = wait;
        if (wait) {
            socket.pause();
        } else {
            socket.resume();
        }
    }

    /** Sends a response, which the socket owns from here on. */
    void send(ByteBuf text) {
        int length = text.readableBytes();
        socket.sendText(text);
        unread = socket.isWritable() ? 0 : length;
    }

    private void onMemoryReleased() {
        socket.eventLoop().execute(this::memoryReleased);
    }

    /** Continues with what waits for memory, as other responses were sent or dropped. */
    private void memoryReleased() {
        for (CollectedStream next = memory.next(); next != null; next = memory.next()) {
            next.wakeWriter();
        }
        pauseOrResume();
    }

    @Override
    public boolean holdsOutput() {
        return memory.bytes() + unread > LITTLE;
    }

    /** Ends a request whose response was sent or whose client has gone. */
    void ended(RpcExchange exchange) {
        running.remove(exchange);
        heap.giveBack(exchange.heap());
        bodies.take(-exchange.countedBody());
        bodyBytes -= exchange.bodySize();
        observer.ended(exchange);
        socket.endRequest();
        pauseOrResume();
    }

    /** Returns whether the client has gone; the requests that are still running end in the next turns. */
    boolean isClosed() {
        return closed;
    }

    /** Closes the socket after a response could not be sent, so that the client does not wait for it. */
    void fail() {
        socket.close(WebSocketCloseStatus.INTERNAL_SERVER_ERROR);
    }

    @Override
    public void writable(WebSocket again) {
        unread = 0;
        outbox.writable();
        if (subscriptions != null) {
            subscriptions.writable();
        }
        memoryReleased();
    }

    @Override
    public void closed(WebSocket gone) {
        closed = true;
        heap.close();
        inbox.close();
        if (subscriptions != null) {
            subscriptions.close();
        }
        outbox.close();
        abort(new ArrayDeque<>(running));
    }

    /** Ends the requests whose client has gone; in turns, since each may have much to cancel. */
    private void abort(ArrayDeque<RpcExchange> left) {
        long begun = System.nanoTime();
        try {
            while (!left.isEmpty() && !LoopTurns.isOver(begun)) {
                left.remove().endUnanswered(ServedRequest.CLIENT_GONE);
            }
        } finally {
            if (!left.isEmpty()) {
                LoopTurns.ofThisLoop().add(socket.eventLoop(), () -> abort(left));
            }
        }
    }
}
