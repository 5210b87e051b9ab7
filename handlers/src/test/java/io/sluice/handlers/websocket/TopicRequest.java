package io.sluice.handlers.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaders;
import io.sluice.handlers.Exchange;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** A request for a topic, as far as its handlers look at it. */
final class TopicRequest implements InvocationHandler {
    final HttpHeaders headers = new DefaultHttpHeaders();
    String answer;

    private final String topic;
    private final ByteBuf body;

    private TopicRequest(String topic, byte[] body) {
        this.topic = topic;
        this.body = PooledByteBufAllocator.DEFAULT.buffer().writeBytes(body);
    }

    static TopicRequest withBody(String topic, byte[] body) {
        return new TopicRequest(topic, body);
    }

    static Exchange handshake(String topic) {
        var request = new TopicRequest(topic, new byte[0]);
        request.body.release();
        return request.exchange();
    }

    Exchange exchange() {
        return (Exchange) Proxy.newProxyInstance(Exchange.class.getClassLoader(),
                new Class<?>[] {Exchange.class}, this);
    }

    void release() {
        body.release();
    }

    @Override
    @SuppressWarnings("unchecked")
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        return switch (method.getName()) {
            case "pathParameter" -> arguments[0].equals("topic") ? topic : null;
            case "headers" -> headers;
            case "alloc" -> PooledByteBufAllocator.DEFAULT;
            case "readBody" -> {
                ((Consumer<ByteBuf>) arguments[0]).accept(body);
                yield null;
            }
            case "respond" -> arguments.length == 1 ? answer((FullHttpResponse) arguments[0])
                    : InvocationHandler.invokeDefault(proxy, method, arguments);
            default -> throw new AssertionError(method.getName() + " is not asked for in these tests");
        };
    }

    private boolean answer(FullHttpResponse response) {
        answer = response.status().code() + " " + response.content().toString(StandardCharsets.UTF_8);
        response.release();
        return true;
    }
}
