package io.sluice.gateway.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.util.AttributeMap;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.gateway.exchange.ResponseHeaders;
import io.sluice.gateway.exchange.RoutedExchange;
import io.sluice.gateway.exchange.TimeWatch;
import io.sluice.gateway.routing.RoutedRequest;
import io.sluice.handlers.Client;
import io.sluice.handlers.ResponseStream;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One request over a WebSocket, and its response. */
final class RpcExchange extends RoutedExchange {
    /** The bytes of the objects for a request, besides its id and its target. */
    private static final int HEAP = 2 * 1024;

    private final RpcSession session;
    private final RpcBody body;
    private final int heap;
    private final RpcResponse answer;
    private int countedBody;
    /** Null for nothing. */
    private @Nullable Runnable onSent;

    /**
     * A request that has just arrived.
     *
     * @param messageId the JSON value of the member {@code id}, which the response repeats
     */
    RpcExchange(RpcSession session, String messageId, RoutedRequest request, RpcBody body) {
        super(request);
        this.session = session;
        this.body = body;
        heap = HEAP + messageId.length() + 2 * request.head().uri().length(); // its parts are decoded
        answer = new RpcResponse(this, session, messageId);
        session.credential().passTo(this);
    }

    @Override
    protected boolean isAnswered() {
        return answer.isWhole();
    }

    @Override
    protected boolean hasResponseStarted() {
        return answer.isStreamed();
    }

    @Override
    protected long progress() {
        return answer.written();
    }

    @Override
    protected boolean waitsForClient() {
        return answer.waitsForClient();
    }

    @Override
    protected TimeWatch timeWatch() {
        return new TimeWatch(false);
    }

    // --- the request

    @Override
    public boolean hasBody() {
        return body.present();
    }

    @Override
    public Client client() {
        return session.client();
    }

    @Override
    public AttributeMap connection() {
        return session.attributes();
    }

    @Override
    public void limitBody(long bytes) {
        body.limit(bytes);
    }

    @Override
    public EventExecutor eventLoop() {
        return session.socket().eventLoop();
    }

    @Override
    public ByteBufAllocator alloc() {
        return session.socket().alloc();
    }

    @Override
    public void readBody(Consumer<ByteBuf> action) {
        streamBody(RpcBody.whole(action));
    }

    @Override
    public void streamBody(BodyReader reader) {
        body.read(reader);
        // As over HTTP, the body is delivered after the handler has returned.
        eventLoop().execute(() -> runStep(body::deliver));
    }

    @Override
    public void resumeBody() {
        // The body is one piece; there is no back-pressure.
    }

    // --- the answer

    @Override
    public void inform(HttpResponse head) {
        ResponseHeaders.requireInformational(head); // then dropped: a message has one response
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

    /** Ends the exchange without a response; it is counted with this status. */
    void endUnanswered(int status) {
        if (!isOver()) {
            answer.abandon(status);
            end();
            abort();
        }
    }

    /** Passes the head of the response to the filters; of a head, the client gets the status alone. */
    void edited(HttpResponse head) {
        edit(head);
    }

    /** Returns the length of its body in bytes. */
    int bodySize() {
        return body.size();
    }

    /** Sets how many bytes of the body count for the client until the end. */
    void countBody(int bytes) {
        countedBody = bytes;
    }

    int countedBody() {
        return countedBody;
    }

    /** Drops the body of a request that is refused. */
    void dropBody() {
        body.drop();
    }

    /** Returns how many bytes of the heap it occupies until its end, besides its body. */
    int heap() {
        return heap;
    }

    /** Sets what is done after the response, before the exchange ends. */
    void onSent(Runnable action) {
        onSent = action;
    }

    /** Ends the exchange, whose response has been sent. */
    void sent() {
        if (onSent != null) {
            onSent.run();
        }
        end();
    }

    /** Ends the exchange: the response has been sent, or the client has gone. */
    void end() {
        finish();
        body.drop();
        runStep(answer::close);
        session.ended(this);
    }

    // --- for meters and the access log

    @Override
    public int status() {
        return answer.status();
    }

    @Override
    public long bytesSent() {
        return answer.bytesSent();
    }
}
