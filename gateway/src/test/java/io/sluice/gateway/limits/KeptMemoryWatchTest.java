package io.sluice.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class KeptMemoryWatchTest {
    private final AtomicLong reserved = new AtomicLong();
    private final AtomicLong used = new AtomicLong();
    private final DirectMemory memory = new DirectMemory(100, reserved::get, used::get);
    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicInteger gaveWay = new AtomicInteger();

    @Test
    void messagesGiveWayBeforeMemoryIsShort() {
        var channel = new EmbeddedChannel();
        channel.freezeTime();
        var watch = new KeptMemoryWatch(memory, channel.eventLoop(), looks::incrementAndGet,
                gaveWay::incrementAndGet);
        look(channel, 79, 10);
        look(channel, 10, 19);
        assertThat(gaveWay).hasValue(0);

        look(channel, 70, 15);
        assertThat(memory.isRunningOut()).isFalse();
        look(channel, 80, 20);
        assertThat(gaveWay).hasValue(2);
        watch.close();
        look(channel, 80, 20);
        assertThat(gaveWay).hasValue(2);
        assertThat(looks).hasValue(4);
        channel.close();
    }

    private void look(EmbeddedChannel channel, int reservedNow, int usedNow) {
        reserved.set(reservedNow);
        used.set(usedNow);
        channel.advanceTimeBy(100, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
    }
}
