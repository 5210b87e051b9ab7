package io.sluice.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AcceptPauseTest {
    private final MockTicker clock = Ticker.newMockTicker();
    private final EmbeddedChannel listener = EmbeddedChannel.builder().ticker(clock)
            .handlers(new AcceptPause()).build();

    @AfterEach
    void close() {
        listener.finishAndReleaseAll();
    }

    @Test
    void failedAcceptPausesTheListener() {
        listener.pipeline().fireExceptionCaught(new IOException("too many open files"));
        pass(199);
        assertThat(listener.config().isAutoRead()).isFalse();

        pass(1);
        assertThat(listener.config().isAutoRead()).isTrue();
    }

    @Test
    void otherExceptionsArePassedOn() {
        listener.pipeline().fireExceptionCaught(new IllegalStateException("another"));

        assertThat(listener.config().isAutoRead()).isTrue();
        assertThatThrownBy(listener::checkException).hasMessage("another");
    }

    private void pass(long millis) {
        clock.advanceMillis(millis);
        listener.runScheduledPendingTasks();
    }
}
