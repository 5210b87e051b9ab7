package io.sluice.loadtest.experiments.driver;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** One connection of a {@link SlowClient}; it ends when the server ends it. */
final class SlowConnection extends ChannelInboundHandlerAdapter {

    private final SlowClient client;
    private final Duration pause;
    private final LongConsumer cutOff;
    private long since;
    private @Nullable Future<?> steps;

    /**
     * A new connection.
     *
     * @param pause before each few bytes
     * @param cutOff called at its end with its lifetime in nanoseconds
     */
    SlowConnection(SlowClient client, Duration pause, LongConsumer cutOff) {
        this.client = client;
        this.pause = pause;
        this.cutOff = cutOff;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        since = System.nanoTime();
        send(context, client.first());
        steps = context.executor().scheduleWithFixedDelay(
                () -> step(context), pause.toNanos(), pause.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void step(ChannelHandlerContext context) {
        if (client.reads()) {
            context.read();
        } else {
            send(context, client.more());
        }
    }

    private static void send(ChannelHandlerContext context, byte[] bytes) {
        context.writeAndFlush(Unpooled.wrappedBuffer(bytes), context.voidPromise());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ReferenceCountUtil.release(message);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (steps != null) {
            steps.cancel(false);
        }
        cutOff.accept(System.nanoTime() - since);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close(); // a reset is an end as well
    }
}
