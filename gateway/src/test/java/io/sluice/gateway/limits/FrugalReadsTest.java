package io.sluice.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

class FrugalReadsTest {
    private static final int MOST = 48 * 1024;

    /** A proxied body of which 16 KiB are unsent thus takes 64 KiB at most. */
    @Test
    @SuppressWarnings("deprecation") // the type of the handle is
    void growToALimitAsLongAsTheyAreFull() {
        var handle = new FrugalReads().newHandle();
        handle.reset(new DefaultChannelConfig(new EmbeddedChannel()));
        int last = 0;
        for (int i = 0; i < 10; i++) {
            ByteBuf buffer = handle.allocate(UnpooledByteBufAllocator.DEFAULT);
            last = buffer.writableBytes();
            buffer.release();
            assertThat(last).isLessThanOrEqualTo(MOST);
            handle.attemptedBytesRead(last);
            handle.lastBytesRead(last);
            handle.readComplete();
        }
        assertThat(last).isEqualTo(MOST);
    }
}
