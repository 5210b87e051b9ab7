package io.sluice.handlers.upstream.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SentFramesTest {
    private static final int FLOOD = 1500;
    private static final int UPDATES = 1100;

    /** Opens a stream whose response is consumed at once. */
    private static final class Connection implements ConnectionEvents, StreamEvents {
        private final ClientConnection client = ClientCodec.of(this, Duration.ofSeconds(10));

        /** Returns the channel, whose peer reads what is sent, or does not. */
        EmbeddedChannel open(boolean reads) {
            var network = new ChannelOutboundHandlerAdapter() {
                @Override
                public void write(ChannelHandlerContext ctx, Object bytes, ChannelPromise written) {
                    ReferenceCountUtil.release(bytes);
                    if (reads) {
                        written.trySuccess();
                    }
                }
            };
            var channel = new EmbeddedChannel(network, client);
            channel.writeInbound(frame(Http2FrameTypes.SETTINGS, 0));
            return channel;
        }

        @Override
        public void accepted(ClientConnection by) {
            by.send(new DefaultHttp2Headers(), true, this);
        }

        @Override
        public int data(ByteBuf data, int padding, boolean end) {
            return data.readableBytes() + padding;
        }

        @Override
        public void changed(ClientConnection of) {
        }

        @Override
        public void closed(ClientConnection closed) {
        }

        @Override
        public void headers(ResponseFields fields, boolean end) {
        }

        @Override
        public void readComplete() {
        }

        @Override
        public void writabilityChanged() {
        }

        @Override
        public void malformed(Throwable cause) {
        }

        @Override
        public void reset(StreamReset cause) {
        }

        @Override
        public void closed(boolean refused, Throwable cause) {
        }
    }

    private static ByteBuf frame(byte type, int length) {
        return frame(type, 0, 0, length);
    }

    private static ByteBuf frame(byte type, int flags, int stream, int length) {
        return Unpooled.buffer().writeMedium(length).writeByte(type).writeByte(flags).writeInt(stream)
                .writeZero(length);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void endsTheConnectionOfAnEndpointThatDoesNotReadReplies(boolean reads) {
        EmbeddedChannel channel = new Connection().open(reads);
        flood(channel, Http2FrameTypes.PING, 8, FLOOD);
        assertThat(channel.isOpen()).isEqualTo(reads);
        channel.finishAndReleaseAll();
    }

    /** It can only guess that it has credit for a response of that length. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void endsTheConnectionOfAnEndpointThatDoesNotReadItsCredit(boolean reads) {
        EmbeddedChannel channel = new Connection().open(reads);
        channel.writeInbound(frame(Http2FrameTypes.HEADERS, 4, 3, 1).setByte(9, 0x88)); // 200
        for (int i = 0; i < UPDATES * 2 && channel.isOpen(); i++) { // one for two frames
            channel.writeInbound(frame(Http2FrameTypes.DATA, 0, 3, 16 * 1024));
        }
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
        EmbeddedChannel channel = new Connection().open(true);
        flood(channel, Http2FrameTypes.SETTINGS, 0, 99);
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
