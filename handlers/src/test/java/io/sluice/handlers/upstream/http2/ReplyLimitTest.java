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
import java.util.List;
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
        for (ByteBuf flood : List.of(frame(Http2FrameTypes.PING, 8), frame(Http2FrameTypes.SETTINGS, 0))) {
            EmbeddedChannel channel = connection(reads);
            channel.writeInbound(frame(Http2FrameTypes.SETTINGS, 0));
            for (int i = 0; i < FLOOD && channel.isOpen(); i++) {
                channel.writeInbound(flood.copy());
            }
            assertThat(channel.isOpen()).isEqualTo(reads);
            channel.finishAndReleaseAll();
        }
    }
}
