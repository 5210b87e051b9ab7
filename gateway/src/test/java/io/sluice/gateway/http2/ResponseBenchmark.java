package io.sluice.gateway.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import io.sluice.config.ServerConfig;
import io.sluice.config.type.Method;
import io.sluice.config.type.PathTemplate;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.exchange.HeadResponse;
import io.sluice.gateway.exchange.ResponseHeaders;
import io.sluice.gateway.http.HttpProtocols;
import io.sluice.gateway.http1.EmbeddedGateway;
import io.sluice.gateway.loop.PeriodicSteps;
import io.sluice.gateway.net.ConnectionInitializer;
import io.sluice.gateway.net.ConnectionWatches;
import io.sluice.gateway.net.Connections;
import io.sluice.gateway.routing.Route;
import io.sluice.gateway.routing.RoutingTable;
import io.sluice.handlers.message.FlatHeaders;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The cost of requests and answers, without sockets. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Dio.netty.leakDetection.level=disabled")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class ResponseBenchmark {
    private final ServerConfig config = EmbeddedGateway.config(Map.of());
    private final ResponseHeaders answerHeaders = new ResponseHeaders(config, Optional.empty(),
            System::currentTimeMillis);
    private final ByteBuf request = Unpooled.unreleasableBuffer(Unpooled.copiedBuffer(
            "GET / HTTP/1.1\r\nHost: localhost\r\nUser-Agent: benchmark\r\nAccept: */*\r\n\r\n",
            StandardCharsets.US_ASCII));
    private EmbeddedChannel http1;
    private EmbeddedChannel http2;

    @Setup
    public void setup() {
        var connections = new Connections(Duration.ZERO);
        var route = new Route("text", PathTemplate.parse("/"), Set.of(Method.GET), "text",
                HandlerServer.limits(Duration.ofSeconds(1), 0).around(exchange -> exchange.respond(
                        HttpResponseStatus.OK, HttpHeaderValues.TEXT_PLAIN,
                        exchange.alloc().buffer(16).writeLong(0))));
        var table = new RoutingTable(List.of(route));
        http1 = channel(new ConnectionInitializer(config.timeouts(), connections,
                new HttpProtocols(config, null, () -> table, connections, _ -> { },
                        Optional.empty(), System::currentTimeMillis).detected(),
                new ConnectionWatches(PeriodicSteps.OWN_TIMERS)));
        http2 = channel(new StreamResponseEncoder());
    }

    private static EmbeddedChannel channel(ChannelHandler handler) {
        var channel = new EmbeddedChannel(new Sink()) {
            @Override
            protected SocketAddress remoteAddress0() {
                return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
            }
        };
        channel.config().setAllocator(PooledByteBufAllocator.DEFAULT);
        channel.pipeline().addLast(handler);
        return channel;
    }

    /** Measures HTTP/1.1, from the bytes of a request to the bytes of its answer. */
    @Benchmark
    public void http1() {
        http1.writeInbound(request.duplicate());
    }

    /** Measures the encoding of an answer's head for HTTP/2. */
    @Benchmark
    public void http2Head() {
        var fields = new FlatHeaders(5);
        fields.add(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.TEXT_PLAIN);
        fields.set(HttpHeaderNames.CONTENT_LENGTH, HttpHeaderValues.ZERO);
        answerHeaders.setCommonFields(fields);
        ResponseHeaders.setRequestId("0123456789abcdef", fields);
        http2.pipeline().write(new HeadResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK,
                fields), http2.voidPromise());
    }

    /** Accepts all writes at once, like a socket with room. */
    private static final class Sink extends ChannelOutboundHandlerAdapter {
        @Override
        public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
            ReferenceCountUtil.release(message);
            promise.trySuccess();
        }
    }
}
