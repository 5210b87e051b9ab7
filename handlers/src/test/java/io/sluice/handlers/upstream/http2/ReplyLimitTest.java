package io.sluice.handlers.upstream.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplyLimitTest {
    private static final int FLOOD = 1500;

    /** Returns a connection whose peer reads the replies, or does not. */
    private static EmbeddedChannel connection(boolean reads) {
        var connection = ClientCodec.of(new ConnectionEvents() {
            @Override
            public void accepted(ClientConnection by) {
            }

            @Override
            public void changed(ClientConnection of) {
            }

            @Override
            public void closed(ClientConnection closed) {
            }
        }, Duration.ofSeconds(10));
        var network = new ChannelOutboundHandlerAdapter() {
            @Override
            public void write(ChannelHandlerContext ctx, Object bytes, ChannelPromise written) {
                ReferenceCountUtil.release(bytes);
                if (reads) {
                    written.trySuccess();
                }
            }
        };
        return new EmbeddedChannel(network, connection);
    }

    private static ByteBuf frame(byte type, int length) {
        return Unpooled.buffer().writeMedium(length).writeByte(type).writeByte(0).writeInt(0)
                .writeZero(length);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void endsTheConnectionOfAnEndpointThatDoesNotReadReplies(boolean reads) {
        EmbeddedChannel channel = connection(reads);
        channel.writeInbound(frame(Http2FrameTypes.SETTINGS, 0));
        flood(channel, Http2FrameTypes.PING, 8, FLOOD);
        assertThat(channel.isOpen()).isEqualTo(reads);
        channel.finishAndReleaseAll();
    }

    private static void flood(EmbeddedChannel channel, byte type, int length, int frames) {
        for (int i = 0; i < frames && channel.isOpen(); i++) {
            channel.writeInbound(frame(type, length));
        }
    }

    /** Each of them may change the windows of all streams. */
    @Test
    void endsTheConnectionOfAnEndpointWithAFloodOfSettings() {
        EmbeddedChannel channel = connection(true);
        flood(channel, Http2FrameTypes.SETTINGS, 0, 100);
        assertThat(channel.isOpen()).isTrue();
        channel.freezeTime();
        channel.advanceTimeBy(11, TimeUnit.SECONDS);
        flood(channel, Http2FrameTypes.SETTINGS, 0, 100);
        assertThat(channel.isOpen()).isTrue();

        flood(channel, Http2FrameTypes.SETTINGS, 0, 1);
        assertThat(channel.isOpen()).isFalse();
        channel.finishAndReleaseAll();
    }
}
