package io.sluice.handlers.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameBoundaryTest {
    private static final int[] HEADERS = {0, 1, 125, 126, 65_535, 65_536};

    @Test
    void isReachedOnlyBehindAWholeFrameHoweverItsBytesArrive() {
        for (boolean masked : new boolean[] {false, true}) {
            for (int length : HEADERS) {
                ByteBuf frame = frame(length, masked);
                var boundary = new FrameBoundary();
                assertThat(boundary.isReached()).isTrue();
                while (frame.isReadable()) {
                    ByteBuf octet = frame.readSlice(1);
                    assertThat(boundary.scan(octet)).isEqualTo(1);
                    assertThat(boundary.isReached()).as("%d of %d", frame.readerIndex(), length)
                            .isEqualTo(!frame.isReadable());
                }
            }
        }
    }

    @Test
    void endsTheFirstFrameOfSeveral() {
        ByteBuf frames = Unpooled.wrappedBuffer(frame(300, true), frame(0, false), frame(7, false));
        var boundary = new FrameBoundary();

        assertThat(boundary.scanOne(frames)).isEqualTo(308);
        assertThat(boundary.scanOne(frames.skipBytes(308))).isEqualTo(310);
        assertThat(boundary.scan(frames.skipBytes(2))).isEqualTo(319);
        assertThat(boundary.isReached()).isTrue();
    }

    @Test
    void takesNoFrameWithinOneOrAfterAClose() {
        var boundary = new FrameBoundary();
        assertThat(boundary.takesFrame()).isTrue();
        for (byte octet : new byte[] {(byte) 0x82, 1}) {
            boundary.scan(Unpooled.wrappedBuffer(new byte[] {octet}));
            assertThat(boundary.takesFrame()).isFalse();
        }
        boundary.scan(Unpooled.wrappedBuffer(new byte[1]));
        assertThat(boundary.takesFrame()).isTrue();
        boundary.scan(Unpooled.wrappedBuffer(new byte[] {(byte) 0x88, 0}));
        assertThat(boundary.isReached()).isTrue();
        assertThat(boundary.takesFrame()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE + 9, -1})
    void followsFramesOfAnyLength(long length) {
        assertTimeoutPreemptively(Duration.ofSeconds(30), () -> {
            ByteBuf frame = Unpooled.buffer().writeByte(0x82).writeByte(127).writeLong(length).writeZero(100);
            var boundary = new FrameBoundary();
            assertThat(boundary.scan(frame)).isEqualTo(frame.writerIndex());
            assertThat(boundary.isReached()).isFalse();
        });
    }

    private static ByteBuf frame(int length, boolean masked) {
        ByteBuf frame = Unpooled.buffer().writeByte(0x82);
        int mask = masked ? 0x80 : 0;
        if (length < 126) {
            frame.writeByte(mask | length);
        } else if (length < 65_536) {
            frame.writeByte(mask | 126).writeShort(length);
        } else {
            frame.writeByte(mask | 127).writeLong(length);
        }
        return frame.writeZero(length + (masked ? 4 : 0));
    }
}
