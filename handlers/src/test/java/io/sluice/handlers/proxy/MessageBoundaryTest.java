package io.sluice.handlers.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageBoundaryTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 1000})
    void isReachedOnlyBehindAWholeMessageHoweverItsBytesArrive(int piece) {
        ByteBuf messages = Unpooled.buffer();
        var boundary = new MessageBoundary();
        assertThat(boundary.isReached()).isTrue();
        for (int length : new int[] {0, 1, 300, 0, 70_000}) {
            messages.writeByte(1).writeInt(length).writeZero(length);
            while (messages.isReadable()) {
                boundary.follow(messages.readSlice(Math.min(piece, messages.readableBytes())));
                assertThat(boundary.isReached()).isEqualTo(!messages.isReadable());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MAX_VALUE, Integer.MIN_VALUE, -1})
    void takesAnyLength(int length) {
        var boundary = new MessageBoundary();
        long largest = boundary.follow(Unpooled.buffer().writeByte(0).writeInt(1).writeZero(1)
                .writeByte(0).writeInt(length).writeZero(100));
        assertThat(largest).isEqualTo(Integer.toUnsignedLong(length));
        assertThat(boundary.isReached()).isFalse();
    }
}
