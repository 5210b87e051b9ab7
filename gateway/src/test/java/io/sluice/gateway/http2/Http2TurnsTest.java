package io.sluice.gateway.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

/** The turns in which an HTTP/2 connection reads. */
class Http2TurnsTest {
    private int reads;

    /** A connection that closes switches auto-read on, to see the end of its client's input. */
    @Test
    void aReadThatIsAskedForBetweenTurnsFollowsInTheNext() {
        var turns = new Http2Turns();
        var channel = new EmbeddedChannel(new ChannelOutboundHandlerAdapter() {
            @Override
            public void read(ChannelHandlerContext ctx) {
                reads++;
                ctx.read();
            }
        }, turns);
        channel.pipeline().fireChannelRead(Unpooled.EMPTY_BUFFER);
        while (turns.mayContinue()) {
            Thread.onSpinWait(); // a turn takes a few milliseconds
        }
        reads = 0;

        channel.config().setAutoRead(true);
        channel.runPendingTasks();

        assertThat(reads).isPositive();
        channel.finish();
    }
}
