package io.sluice.gateway.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.gateway.net.ReadAhead;
import io.sluice.gateway.peer.Client;
import io.sluice.gateway.routing.RoutedRequest;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.ResponseStream;
import java.net.InetSocketAddress;
import java.util.function.Consumer;
import java.util.function.Function;

/** One request on a connection of HTTP/1 or a stream of HTTP/2, and its one answer. */
public final class HttpExchange extends RoutedExchange {
    private final Carrier carrier;
    private final Client client;
    private final RequestBody body;
    private final Answer answer;

    HttpExchange(Carrier carrier, RoutedRequest request, Client client, RequestBody body) {
        super(request);
        this.carrier = carrier;
        this.client = client;
        this.body = body;
        answer = new Answer(this);
    }

    @Override
    protected void admit(RoutedRequest routed) {
        routed.cors().requireDeclared(routed.head(), client);
        routed.requireAccess(this);
        routed.shortenDeadline();
        body.requireFits();
    }

    @Override
    protected boolean isAnswered() {
        return answer.isWhole();
    }

    // --- the request

    @Override
    public boolean hasBody() {
        return body.present();
    }

    @Override
    public InetSocketAddress clientAddress() {
        return client.address();
    }

    /** Who sent it, and for what. */
    public Client client() {
        return client;
    }

    @Override
    public EventExecutor eventLoop() {
        return context().executor();
    }

    @Override
    public ByteBufAllocator alloc() {
        return context().alloc();
    }

    Carrier carrier() {
        return carrier;
    }

    ChannelHandlerContext context() {
        return carrier.context();
    }

    public RequestBody body() {
        return body;
    }

    @Override
    public void readBody(Consumer<ByteBuf> action) {
        streamBody(body.collector(action));
    }

    @Override
    public void streamBody(BodyReader reader) {
        body.read(reader);
        carrier.proceed();
    }

    @Override
    public void resumeBody() {
        if (eventLoop().inEventLoop()) {
            goOn();
        } else {
            eventLoop().execute(this::goOn);
        }
    }

    private void goOn() {
        body.resume();
        carrier.proceed();
    }

    /** Takes a piece of the body. */
    public void content(HttpContent content) {
        if (body.endsUnread(content)) {
            return;
        }
        boolean answered = isOver();
        logged(() -> body.content(content));
        if (body.broken() && !answered) {
            abort();
        }
    }

    // --- the answer

    @Override
    public boolean respond(FullHttpResponse response) {
        return routed().compression().respond(this, answer, response);
    }

    @Override
    public ResponseStream stream(HttpResponse head) {
        return routed().compression().stream(this, answer, head);
    }

    @Override
    public void fail(Throwable cause) {
        answer.fail(cause);
    }

    /**
     * Makes the connection another protocol's, when all of the request has been read. On the event loop.
     *
     * @param response with status 101; owned by the exchange from here on
     * @param protocol makes the handler of what comes from then on, which is added before the response is
     *     sent; it may keep bytes back
     * @throws HttpException where the connection is not fit for it
     */
    public void upgrade(FullHttpResponse response, Function<ReadAhead, ChannelHandler> protocol) {
        if (answer.switchProtocols(response)) {
            carrier.upgrade(protocol);
        }
    }

    @Override
    protected void expire() {
        if (!isOver()) {
            body.expire();
            fail(new HttpException(HttpResponseStatus.GATEWAY_TIMEOUT, "not done within the time for it"));
            abort();
        }
    }

    /** More of the body should have come by now. */
    public void tooSlow() {
        body.expire();
        fail(new HttpException(HttpResponseStatus.REQUEST_TIMEOUT, "the body comes too slowly"));
        abort();
    }

    /** Calls the handler of its route. */
    public void start() {
        start(routed().handler());
    }

    /** Answers with an error without asking a handler. */
    public void refuse(HttpException reason) {
        start(_ -> {
            throw reason;
        });
    }

    /** Ends without an answer or in the middle of it, and is counted as this status. */
    public void endUnanswered(int status) {
        if (!isOver()) {
            answer.abandon(status);
            end(false);
            abort();
        }
    }

    /** The answer has been written, or nobody is there for it. */
    void end(boolean keepAlive) {
        finish();
        body.drop();
        answer.wakeWriter();
        carrier.ended(this, keepAlive);
    }

    /** The client takes more again. */
    public void writable() {
        answer.wakeWriter();
    }

    // --- what is told of it afterwards

    @Override
    public int status() {
        return answer.status();
    }

    @Override
    public long bytesSent() {
        return answer.bytesSent();
    }
}
