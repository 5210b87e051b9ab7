package io.sluice.handlers.upstream.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http2.Http2FrameTypes;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A connection with a long stream of another client, on which requests are given up. */
class HeartbeatTest {
    private static final byte[] OK = {0, 0, 1, 1, 4, 0, 0, 0, 3, (byte) 0x88};

    private final ClientConnection connection = ClientCodec.of(new ConnectionEvents() {
        @Override
        public void accepted(ClientConnection of) {
        }

        @Override
        public void changed(ClientConnection of) {
            changes++;
        }

        @Override
        public void closed(ClientConnection of) {
        }
    }, Duration.ofSeconds(1));
    private final EmbeddedChannel channel = new EmbeddedChannel(connection);
    private int changes;

    @BeforeEach
    void open() {
        channel.freezeTime();
        receive(frame(Http2FrameTypes.SETTINGS, 0, 0));
        send();
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    private void send() {
        connection.send(RequestFields.head(HttpMethod.GET, false, "a", "/"), true, new StreamEvents() {
            @Override
            public void headers(ResponseFields fields, boolean end) {
            }

            @Override
            public int data(ByteBuf data, int padding, boolean end) {
                return data.readableBytes() + padding;
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
            public void closed(boolean refused, @Nullable Throwable cause) {
            }
        });
    }

    /** Gives up a request to which nothing has come; returns the number of PINGs that this sends. */
    private int giveUp() {
        int before = connection.heartbeat().reads();
        connection.heartbeat().doubt(before);
        channel.runPendingTasks();
        int pings = 0;
        for (ByteBuf sent = channel.readOutbound(); sent != null; sent = channel.readOutbound()) {
            pings += sent.readableBytes() >= 9 && sent.getByte(3) == Http2FrameTypes.PING ? 1 : 0;
            sent.release();
        }
        return pings;
    }

    private void receive(ByteBuf bytes) {
        channel.writeInbound(bytes);
    }

    private static ByteBuf frame(byte type, int flags, int length) {
        return Unpooled.buffer().writeMedium(length).writeByte(type).writeByte(flags).writeInt(0)
                .writeZero(length);
    }

    private void pass(int seconds) {
        channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
    }

    /** A server of gRPC takes more of them for an attack, and closes the connection. */
    @Test
    void sendsOnePingBetweenTwoResponses() {
        assertThat(giveUp()).isOne();
        assertThat(giveUp()).isZero();
        receive(frame(Http2FrameTypes.PING, 1, 8));
        assertThat(giveUp()).isZero();

        receive(Unpooled.copiedBuffer(OK));
        assertThat(giveUp()).isOne();
    }

    @Test
    void doesNotDoubtAnEndpointThatHasSentAnything() {
        int before = connection.heartbeat().reads();
        receive(frame(Http2FrameTypes.SETTINGS, 0, 0));
        connection.heartbeat().doubt(before);

        pass(60);
        assertThat(connection.hasRoom()).isTrue();
    }

    @Test
    void opensNoStreamWhileTheEndpointIsOverdue() {
        giveUp();
        pass(1);
        assertThat(connection.hasRoom()).isFalse();
        pass(9);
        assertThat(channel.isOpen()).as("the other stream may go on").isTrue();

        int before = changes;
        receive(frame(Http2FrameTypes.SETTINGS, 0, 0));
        assertThat(connection.hasRoom()).isTrue();
        assertThat(changes).isGreaterThan(before);
        pass(60);
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void closesAConnectionWhosePingStaysUnanswered() {
        giveUp();
        pass(1);
        pass(10);

        assertThat(channel.isOpen()).isFalse();
        assertThat(connection.cause()).hasMessageContaining("PING");
    }

    @Test
    void doesNotDoubtAConnectionThatGotNoPing() {
        giveUp();
        receive(frame(Http2FrameTypes.PING, 1, 8));
        giveUp();

        pass(60);
        assertThat(connection.hasRoom()).isTrue();
    }
}
