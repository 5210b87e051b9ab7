package io.sluice.gateway.net;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Connections whose watch fails: they are closed, and all others are still watched. */
class BrokenWatchIT {
    /** The number of failing connections, enough for several on each event loop. */
    private static final int BROKEN = 4;
    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    private final AtomicBoolean breaks = new AtomicBoolean();

    @Test
    void aConnectionWhoseWatchFailsIsClosedAndNoOther() throws Exception {
        try (var server = HandlerServer.within((_, http) -> (pipeline, watch) -> {
            http.detected().addTo(pipeline, watch);
            if (breaks.get()) {
                watch.watch(new Broken());
            }
        }, route("/", exchange -> answer(exchange, "hello"))); RawClient sound = server.connect()) {
            assertThat(sound.send(REQUEST).read().body()).isEqualTo("hello");
            breaks.set(true);
            for (int n = 0; n < BROKEN; n++) {
                try (RawClient broken = server.connect()) {
                    assertThatThrownBy(broken::isClosed).as("broken connection %d", n)
                            .hasMessageContaining("reset");
                }
            }
            assertThat(sound.send(REQUEST).read().body()).isEqualTo("hello");
        }
    }

    private static final class Broken implements ExpectedInput {
        @Override
        public Awaited awaited() {
            throw new StackOverflowError("thrown by a test");
        }

        @Override
        public long requests() {
            return 0;
        }

        @Override
        public void tooSlow(Awaited what) {
            throw new AssertionError("not reached");
        }
    }
}
