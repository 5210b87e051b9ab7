package io.sluice.handlers;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.util.DefaultAttributeMap;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The head of a {@link FakeExchange}'s request, and the address of its client. */
abstract class FakeRequest extends DefaultAttributeMap implements Exchange {
    private static final Client CLIENT =
            new Client(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));

    private final HttpRequest request;
    private final QueryStringDecoder target;
    private final Map<String, String> pathParameters = new HashMap<>();

    FakeRequest(HttpMethod method, String target) {
        request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, method, target);
        this.target = new QueryStringDecoder(target);
    }

    void catchParameter(String name, String value) {
        pathParameters.put(name, value);
    }

    @Override
    public final HttpRequest request() {
        return request;
    }

    @Override
    public final String path() {
        return target.path();
    }

    @Override
    public final String pathParameter(String name) {
        return pathParameters.get(name);
    }

    @Override
    public final String queryParameter(String name) {
        List<String> values = queryParameters(name);
        return values.isEmpty() ? null : values.getFirst();
    }

    @Override
    public final List<String> queryParameters(String name) {
        return target.parameters().getOrDefault(name, List.of());
    }

    @Override
    public final String requestId() {
        return "fake";
    }

    @Override
    public final Client client() {
        return CLIENT;
    }

    @Override
    public final ByteBufAllocator alloc() {
        return PooledByteBufAllocator.DEFAULT;
    }
}
