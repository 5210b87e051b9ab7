package io.sluice.handlers;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.util.Attribute;
import io.netty.util.AttributeKey;
import io.netty.util.AttributeMap;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.offload.Deadline;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Delegates to another exchange; a filter overrides the methods that it needs to observe or change. */
public abstract class ExchangeWrapper implements Exchange {
    private final Exchange wrapped;

    /** Delegates to an exchange. */
    protected ExchangeWrapper(Exchange wrapped) {
        this.wrapped = wrapped;
    }

    /** Returns the wrapped exchange. */
    protected final Exchange wrapped() {
        return wrapped;
    }

    @Override
    public HttpRequest request() {
        return wrapped.request();
    }

    @Override
    public String path() {
        return wrapped.path();
    }

    @Override
    public @Nullable String pathParameter(String name) {
        return wrapped.pathParameter(name);
    }

    @Override
    public @Nullable String queryParameter(String name) {
        return wrapped.queryParameter(name);
    }

    @Override
    public List<String> queryParameters(String name) {
        return wrapped.queryParameters(name);
    }

    @Override
    public boolean hasBody() {
        return wrapped.hasBody();
    }

    @Override
    public String requestId() {
        return wrapped.requestId();
    }

    @Override
    public Client client() {
        return wrapped.client();
    }

    @Override
    public AttributeMap connection() {
        return wrapped.connection();
    }

    @Override
    public Deadline deadline() {
        return wrapped.deadline();
    }

    @Override
    public void limitTime(TimeLimits limits) {
        wrapped.limitTime(limits);
    }

    @Override
    public void limitBody(long bytes) {
        wrapped.limitBody(bytes);
    }

    @Override
    public EventExecutor eventLoop() {
        return wrapped.eventLoop();
    }

    @Override
    public ByteBufAllocator alloc() {
        return wrapped.alloc();
    }

    @Override
    public <T> Attribute<T> attr(AttributeKey<T> key) {
        return wrapped.attr(key);
    }

    @Override
    public <T> boolean hasAttr(AttributeKey<T> key) {
        return wrapped.hasAttr(key);
    }

    @Override
    public void readBody(Consumer<ByteBuf> action) {
        wrapped.readBody(action);
    }

    @Override
    public void streamBody(BodyReader reader) {
        wrapped.streamBody(reader);
    }

    @Override
    public void resumeBody() {
        wrapped.resumeBody();
    }

    /** Calls the handler with this exchange, not with the wrapped one. */
    @Override
    public void proceed(RouteHandler next) {
        wrapped.proceed(_ -> next.handle(this));
    }

    @Override
    public void onAbort(Runnable action) {
        wrapped.onAbort(action);
    }

    @Override
    public void onTimeout(Supplier<String> action) {
        wrapped.onTimeout(action);
    }

    @Override
    public void onDrain(Runnable action) {
        wrapped.onDrain(action);
    }

    @Override
    public void onResponse(Consumer<HttpResponse> edit) {
        wrapped.onResponse(edit);
    }

    @Override
    public void inform(HttpResponse head) {
        wrapped.inform(head);
    }

    @Override
    public boolean respond(FullHttpResponse response) {
        return wrapped.respond(response);
    }

    @Override
    public @Nullable ResponseStream stream(HttpResponse head) {
        return wrapped.stream(head);
    }

    @Override
    public Optional<Upgrade> upgrade() {
        return wrapped.upgrade();
    }

    @Override
    public void fail(Throwable cause) {
        wrapped.fail(cause);
    }
}
