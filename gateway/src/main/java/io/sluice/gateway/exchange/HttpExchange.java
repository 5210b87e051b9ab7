package io.sluice.gateway.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ServerChannel;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AttributeMap;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.gateway.limits.UnsentMemory;
import io.sluice.gateway.routing.RoutedRequest;
import io.sluice.handlers.Client;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.MemoryShare;
import io.sluice.handlers.MessageProtocol;
import io.sluice.handlers.ResponseStream;
import io.sluice.handlers.Tunnel;
import io.sluice.handlers.Upgrade;
import io.sluice.handlers.message.ArrayResponse;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One request and its response, on an HTTP/1 connection or an HTTP/2 stream. */
public final class HttpExchange extends RoutedExchange {
    private final Carrier carrier;
    private final Client client;
    private final RequestBody body;
    private final ExchangeResponse answer;

    HttpExchange(Carrier carrier, RoutedRequest request, Client client, RequestBody body) {
        super(request);
        this.carrier = carrier;
        this.client = client;
        this.body = body;
        answer = new ExchangeResponse(this);
    }

    @Override
    protected boolean isAnswered() {
        return answer.isWhole();
    }

    @Override
    protected boolean hasResponseStarted() {
        return answer.stream() != null;
    }

    @Override
    protected long progress() {
        return body.progress() + answer.written();
    }

    @Override
    protected boolean waitsForClient() {
        HttpResponseStream stream = answer.stream();
        return awaitsBody() || stream != null && !stream.isWritable();
    }

    /**
     * Returns whether the client has to send more of the body, at the minimum rate. Once an endpoint responds
     * before the end of the body, both sides may be silent in turn, as in streams of gRPC: the client then
     * has to send nothing, and the idle limit applies. This is not restricted to gRPC, since an endpoint that
     * responds so early knows better than a field of the client that it speaks in both directions. A client
     * of gRPC need not send between two messages either, as an endpoint may respond with its first one only.
     */
    public boolean awaitsBody() {
        HttpResponseStream stream = answer.stream();
        return body.isAwaited()
                && (isOver() || (stream == null || !stream.isRelayed()) && !isBetweenMessages());
    }

    @Override
    protected boolean isBetweenMessages() {
        return body.isAwaited() && !body.isWithinFrame()
                && hasAttr(MessageProtocol.IS_BETWEEN_MESSAGES)
                && attr(MessageProtocol.IS_BETWEEN_MESSAGES).get().getAsBoolean();
    }

    @Override
    protected TimeWatch timeWatch() {
        return carrier.timeWatch();
    }

    // --- the request

    @Override
    public boolean hasBody() {
        return body.present();
    }

    @Override
    public Client client() {
        return client;
    }

    @Override
    public AttributeMap connection() {
        Channel channel = context().channel();
        Channel parent = channel.parent();
        return parent == null || parent instanceof ServerChannel ? channel : parent; // that of a stream
    }

    @Override
    public void limitBody(long bytes) {
        body.limit(bytes);
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
        streamBody(new BodyCollector(body, alloc(), clientNetwork(), action));
    }

    @Override
    public void streamBody(BodyReader reader) {
        body.read(reader);
        if (body.complete()) {
            // The body has ended already. Its end is reported after the handler has returned, as for every
            // other body.
            eventLoop().execute(() -> runStep(body::end));
        }
        carrier.deliverBody();
    }

    @Override
    public void resumeBody() {
        onLoop(this::resumeNow);
    }

    private void resumeNow() {
        body.resume();
        carrier.deliverBody();
    }

    /** Takes a piece of the body and its ownership. On the event loop. */
    public void content(HttpContent content) {
        if (body.endUnread(content)) {
            return;
        }
        boolean answered = isOver();
        runStep(() -> body.content(content));
        if (body.broken() && !answered) {
            abort();
        }
    }

    // --- the response

    @Override
    public void inform(HttpResponse head) {
        ResponseHeaders.requireInformational(head);
        answer.inform(head);
    }

    @Override
    public boolean respond(FullHttpResponse response) {
        return answer.respond(response);
    }

    @Override
    public @Nullable ResponseStream stream(HttpResponse head) {
        return answer.stream(head);
    }

    @Override
    public void fail(Throwable cause) {
        answer.fail(cause);
    }

    @Override
    public Optional<Upgrade> upgrade() {
        return RequestedUpgrade.of(this);
    }

    /** Switches to another protocol as soon as the whole request has been read. */
    void upgrade(String protocol, HttpHeaders headers, Tunnel tunnel) {
        if (isOver()) {
            return;
        }
        if (!body.complete()) {
            body.whenRead(() -> upgrade(protocol, headers, tunnel));
            carrier.deliverBody();
            return;
        }
        try {
            answer.upgrade(protocol, headers, tunnel);
        } catch (RuntimeException e) {
            fail(e);
            abort();
        }
    }

    @Override
    protected void expire() {
        if (!isOver()) {
            body.expire();
        }
        super.expire();
    }

    /** Responds with 408 because the body arrives too slowly, and aborts the request. On the event loop. */
    public void tooSlow() {
        refuseBody(new HttpException(HttpResponseStatus.REQUEST_TIMEOUT, "the body comes too slowly"));
    }

    /** Responds with an error instead of reading the rest of the body, and aborts the request. */
    public void refuseBody(HttpException reason) {
        body.expire();
        fail(reason);
        abort();
    }

    /** Calls the handler of the route. On the event loop. */
    public void start() {
        start(handler());
    }

    /** Responds with an error instead of calling a handler. On the event loop. */
    public void refuse(HttpException reason) {
        start(_ -> {
            throw reason;
        });
    }

    /**
     * Ends the exchange without a response or in the middle of it.
     *
     * @param status to be counted with
     */
    public void endUnanswered(int status) {
        if (!isOver()) {
            answer.abandon(status);
            end(false);
            abort();
        }
    }

    /** Ends the exchange after its response has been written or its client has left. */
    public void end(boolean keepAlive) {
        finish();
        body.drop();
        answer.wakeWriter();
        carrier.ended(this, keepAlive);
    }

    /** Resumes a streamed response if the channel or memory has let it wait, and does not any more. */
    public void writable() {
        HttpResponseStream stream = answer.stream();
        if (stream != null && stream.isWritable()) {
            stream.wakeWriter();
        }
    }

    /** Returns whether a large response must be refused, as the client has not read others. */
    boolean lacksRoomFor(FullHttpResponse response) {
        return ArrayResponse.length(response) > MemoryShare.FREE_BODY
                && request().method() == HttpMethod.GET && !isOfAdmin()
                && UnsentMemory.isFull(clientNetwork());
    }

    // --- for meters and logs

    @Override
    public int status() {
        return answer.status();
    }

    @Override
    public long bytesSent() {
        return answer.bytesSent();
    }
}
