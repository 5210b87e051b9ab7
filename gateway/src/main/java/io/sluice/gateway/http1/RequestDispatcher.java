package io.sluice.gateway.http1;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.sluice.gateway.exchange.ExchangeFactory;
import io.sluice.gateway.exchange.HttpExchange;
import io.sluice.gateway.exchange.RequestHead;
import io.sluice.gateway.exchange.RequestId;
import io.sluice.gateway.exchange.ResponseHeaders;
import io.sluice.gateway.exchange.ServedRequest;
import io.sluice.gateway.limits.RequestMemory;
import io.sluice.gateway.net.ConnectionEvent;
import io.sluice.gateway.net.Connections;
import io.sluice.gateway.net.LingeringClose;
import io.sluice.gateway.net.ReadAhead;
import io.sluice.gateway.net.ReadingTurn;
import io.sluice.handlers.Client;
import io.sluice.handlers.HttpException;
import org.jspecify.annotations.Nullable;

/**
 * Dispatches a connection's requests to their routes, one at a time. Pipelined input waits here and in
 * {@link ReadAhead} while a request is being served or the client does not read its responses.
 *
 * <p>A client that closes its sending half counts as gone, as this looks the same as a closed connection, and
 * work for an absent client must not go on. Requests that can be served at once still are.
 */
final class RequestDispatcher extends ChannelInboundHandlerAdapter {
    private final ExchangeFactory exchanges;
    private final Connections connections;
    private final HeldMessages held;
    private final ConnectionCarrier carrier;
    private final RequestMemory memory;
    private final IdleClose idleClose;

    private ChannelHandlerContext ctx;
    /** The client of all requests; null before the first, and if each request may name another one. */
    private @Nullable Client client;
    private @Nullable HttpExchange current;
    private long requests;
    /** The time for the messages of a read after its first one. */
    @SuppressWarnings("NullAway.Init") // set by handlerAdded
    private ReadingTurn turn;
    private boolean delivering;
    private State state = State.OPEN;

    /**
     * OPEN: requests are served. REFUSED: input is dropped, and a last response may be on its way. CLOSED:
     * the close or the hand-over of the connection has begun, and input is dropped.
     */
    private enum State { OPEN, REFUSED, CLOSED }

    RequestDispatcher(ExchangeFactory exchanges, Connections connections, ReadAhead readAhead,
                      RequestMemory memory) {
        this.exchanges = exchanges;
        this.connections = connections;
        carrier = new ConnectionCarrier(this, exchanges, connections, readAhead);
        held = new HeldMessages(readAhead);
        this.memory = memory;
        idleClose = new IdleClose(this, connections);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        ctx = context;
        turn = new ReadingTurn(context.executor(), this::deliverHeld);
        if (connections.draining()) {
            idleClose.schedule();
        }
    }

    ChannelHandlerContext context() {
        return ctx;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (dropsInput()) {
            ReferenceCountUtil.release(message);
        } else if (held.isEmpty() && wants(message)) {
            process(message);
        } else {
            // Its next turn comes soon; the input behind a refused request is not worth its memory.
            held.add(message, turn.isOver() || RequestDecoder.isRefused(message));
        }
    }

    private boolean wants(Object message) {
        boolean now = message instanceof HttpContent content && !(message instanceof HttpRequest)
                ? current == null || current.body().wants(content)
                : current == null && ctx.channel().isWritable();
        return now && (message instanceof LastHttpContent || turn.tryContinueRead());
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        turn.onReadEnd();
        context.fireChannelReadComplete();
    }

    /** Delivers held input, as far as it is wanted. */
    void deliverHeld() {
        if (delivering || !held.isPaused() || !turn.tryBegin()) {
            return;
        }
        delivering = true;
        try {
            while (!dropsInput() && !held.isEmpty() && wants(held.peek())) {
                process(held.poll());
            }
        } finally {
            delivering = false;
        }
        if (held.isEmpty() && !dropsInput() && !inputWaits()) {
            held.resume();
        }
    }

    /** Returns whether input waits for the reader of a body, or for a tunnel (RFC 9110 section 7.8). */
    private boolean inputWaits() {
        return current != null && (current.body().isPaused()
                || current.body().complete() && current.upgrade().isPresent());
    }

    private void process(Object message) {
        if (message instanceof HttpRequest request) {
            begin(request);
        } else if (current == null) {
            ReferenceCountUtil.release(message); // the rest of a request that was refused
        } else {
            HttpExchange exchange = current;
            exchange.content((HttpContent) message);
            if (exchange.isOver() && exchange.body().broken()) {
                close();
            } else {
                finishIfComplete(exchange);
            }
            if (inputWaits()) {
                held.pause(current.body().isPaused());
            }
        }
    }

    private void begin(HttpRequest request) {
        String requestId = RequestId.of(request.headers().get(ResponseHeaders.X_REQUEST_ID));
        try {
            String path = RequestHead.path(request);
            exchanges.requireDirected(ctx, RequestHead.isForHttps(request));
            boolean chunks = request.headers().contains(HttpHeaderNames.TRANSFER_ENCODING);
            requests++;
            client = client == null ? exchanges.clientOfAll(ctx) : client;
            Client of = exchanges.clientOf(ctx, client, request);
            if (client == null) {
                memory.countFor(of.address().getAddress());
            }
            current = exchanges.of(carrier, of, request, requestId, path, chunks);
            current.start();
        } catch (HttpException e) {
            refuse(request, requestId, e);
        }
    }

    /** Responds with an error and takes no further requests from this connection. */
    void refuse(HttpRequest request, String requestId, HttpException reason) {
        state = State.REFUSED; // further input cannot be trusted to be a request
        // A client that left in the middle of a head gets no response.
        if (ctx.channel().isActive()) {
            exchanges.untrusted(carrier, request, requestId).refuse(reason);
        }
        ReferenceCountUtil.release(request);
        RequestDecoder.removeFrom(ctx.pipeline());
        held.release();
    }

    /** Called when an exchange has ended; its body may not have. */
    void ended(HttpExchange exchange, boolean keepAlive) {
        if (!keepAlive) {
            close();
        } else {
            finishIfComplete(exchange);
            deliverHeld(); // the rest of its body can be dropped now
        }
    }

    private void finishIfComplete(HttpExchange exchange) {
        if (current == exchange && exchange.isOver() && exchange.body().complete()) {
            current = null;
            memory.giveBack(((ReceivedRequest) exchange.request()).memory());
            deliverHeld();
            if (connections.draining()) {
                idleClose.schedule();
            }
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (context.channel().isWritable()) {
            // Executed later: this may be called within a write, and another write now would land between a
            // chunk and its end.
            context.executor().execute(this::writable);
        }
        context.fireChannelWritabilityChanged();
    }

    private void writable() {
        if (current != null) {
            current.writable();
        }
        deliverHeld();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof ConnectionEvent.Drain
                || event instanceof ConnectionEvent.MemoryShort && isIdle()) {
            idleClose.schedule();
        } else if (event instanceof ConnectionEvent.MemoryShort && current == null && isWaiting()) {
            refuse(RequestHead.unfinished(), RequestId.of(null),
                    HttpException.tryAgain("the gateway is short of memory", null));
        } else if (event instanceof ConnectionEvent.End && current != null && !current.isOver()) {
            reset();
        } else {
            context.fireUserEventTriggered(event);
        }
    }

    /** Returns whether the connection is between two requests. */
    boolean isIdle() {
        return current == null && isWaiting() && !hasBegun();
    }

    /** Returns whether a part of the next request has arrived. */
    boolean hasBegun() {
        return ctx.pipeline().get(RequestDecoder.class).hasBegun();
    }

    /** Returns the request that is being served or whose body is incomplete; null between requests. */
    @Nullable HttpExchange current() {
        return current;
    }

    /** Returns whether the connection takes no further requests. */
    boolean dropsInput() {
        return state != State.OPEN;
    }

    /** Returns how many requests have begun. */
    long requests() {
        return requests;
    }

    /** Returns whether the connection waits for the client, if there is no {@link #current} request. */
    boolean isWaiting() {
        return !dropsInput() && held.isEmpty();
    }

    /** Closes the connection after the pending writes. */
    void close() {
        if (state != State.CLOSED) {
            state = State.CLOSED;
            held.release();
            LingeringClose.close(ctx);
        }
    }

    /** Takes no further input. */
    void retire() {
        state = State.CLOSED;
    }

    /** Closes with RST, as a client might take a FIN for the end of the response. */
    void reset() {
        state = State.CLOSED;
        held.release();
        LingeringClose.reset(ctx);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        held.release();
        carrier.close();
        if (current != null) {
            current.endUnanswered(ServedRequest.CLIENT_GONE);
        }
        context.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        Connections.logBroken(cause);
        context.close();
    }
}
