package io.sluice.loadtest.experiments.peer;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.concurrent.TimeUnit;

/**
 * Handles the endpoints that do not block, on the event loop: computes there, and delays by its timer. Other
 * requests go to the next handler.
 */
public final class BenchmarkHandler extends SimpleChannelInboundHandler<HttpObject> {

    private static final int MIXED_MILLIS = 50;

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject message) {
        if (message instanceof HttpRequest request) {
            var uri = new QueryStringDecoder(request.uri());
            switch (uri.path()) {
                case "/benchmark/hello" -> answer(context, Answer.HELLO);
                case "/benchmark/cpu" -> answer(context, Answer.fibonacci(NettyAnswers.number(uri, "n")));
                case "/benchmark/cpu-heavy" ->
                        answer(context, Answer.primes(NettyAnswers.number(uri, "limit")));
                case "/benchmark/latency" -> {
                    int millis = NettyAnswers.number(uri, "ms");
                    answerAfter(context, millis, Answer.delayed(millis));
                }
                case "/benchmark/mixed" -> answerAfter(context, MIXED_MILLIS, Answer.mixed(MIXED_MILLIS));
                default -> context.fireChannelRead(request);
            }
        }
    }

    private static void answer(ChannelHandlerContext context, Answer answer) {
        NettyAnswers.write(context, HttpResponseStatus.OK, answer);
    }

    private static void answerAfter(ChannelHandlerContext context, int millis, Answer answer) {
        context.executor().schedule(() -> answer(context, answer), millis, TimeUnit.MILLISECONDS);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
