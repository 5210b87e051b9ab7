package io.sluice.gateway.exchange;

import io.netty.handler.codec.http.HttpRequest;
import io.netty.util.DefaultAttributeMap;
import io.sluice.gateway.routing.RoutedRequest;
import io.sluice.offload.Deadline;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The request of an exchange: its head, its parameters, and its times. */
abstract class ReceivedRequest extends DefaultAttributeMap implements ServedRequest {
    final RoutedRequest request;

    ReceivedRequest(RoutedRequest request) {
        this.request = request;
    }

    @Override
    public final HttpRequest request() {
        return request.head();
    }

    @Override
    public final String path() {
        return request.path();
    }

    @Override
    public final @Nullable String pathParameter(String name) {
        return request.pathParameter(name);
    }

    @Override
    public final @Nullable String queryParameter(String name) {
        return request.queryParameter(name);
    }

    @Override
    public final List<String> queryParameters(String name) {
        return request.queryParameters(name);
    }

    @Override
    public final String requestId() {
        return request.id();
    }

    @Override
    public final Deadline deadline() {
        return request.deadline();
    }

    @Override
    public final String uri() {
        return request.uri();
    }

    @Override
    public final long elapsedNanos() {
        return request.elapsedNanos();
    }

    @Override
    public final long latencyNanos() {
        return request.latencyNanos();
    }
}
