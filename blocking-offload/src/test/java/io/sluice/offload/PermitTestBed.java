package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import io.sluice.config.PoolConfig;
import io.sluice.offload.OffloadException.DeadlineExceeded;
import io.sluice.offload.OffloadException.Refused;
import io.sluice.offload.OffloadException.Refused.Reason;
import io.sluice.offload.Permits.Acquisition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Permits with a clock and two home executors that only the test advances. */
abstract class PermitTestBed {
    static final Duration LONG = Duration.ofMinutes(10);
    static final ClientNetwork GREEDY = new ClientNetwork(1, false);
    static final ClientNetwork OTHER = new ClientNetwork(2, false);
    static final ClientNetwork THIRD = new ClientNetwork(3, false);

    final MockTicker clock = Ticker.newMockTicker();
    final CountingObserver events = new CountingObserver();
    final SteppedHome home = new SteppedHome(clock);
    final SteppedHome otherHome = new SteppedHome(clock);
    /** The names of requests in the order of their grants. */
    final List<String> granted = new ArrayList<>();

    final Permits permits(int permits, int queueLimit) {
        return permits(permits, queueLimit, LONG);
    }

    final Permits permits(int permits, int queueLimit, Duration deadline) {
        return Permits.create("upstream shop",
                PoolConfig.of(PoolConfig.Kind.VIRTUAL, permits, queueLimit, deadline), events, clock);
    }

    final Asked ask(Permits permits, String name) {
        return ask(permits, name, null, LONG, home);
    }

    final Asked ask(Permits permits, String name, ClientNetwork client, Duration time, EventExecutor on) {
        var asked = new Asked(name);
        asked.acquisition = permits.acquire(client, Deadline.after(time, clock), on, asked);
        return asked;
    }

    /** A request for a permit, and its outcome. */
    final class Asked implements Permits.Waiter {
        private final String name;
        Acquisition acquisition;
        Acquisition permit;
        OffloadException refusal;
        int calls;
        boolean calledAtHome;
        Runnable onGrant = () -> { };

        Asked(String name) {
            this.name = name;
        }

        @Override
        public void granted(Acquisition got) {
            permit = got;
            granted.add(name);
            called();
            onGrant.run();
        }

        @Override
        public void refused(OffloadException reason) {
            refusal = reason;
            called();
        }

        private void called() {
            calls++;
            calledAtHome = home.isRunning() || otherHome.isRunning();
        }

        void assertRefused(Reason reason, String message) {
            assertThat(calls).isOne();
            assertThat(refusal).hasMessage(message).isInstanceOfSatisfying(Refused.class, refused -> {
                assertThat(refused.reason()).isEqualTo(reason);
                assertThat(refused.retryAfter()).isPositive();
            });
        }

        void assertExpired() {
            assertThat(calls).isOne();
            assertThat(refusal).isInstanceOf(DeadlineExceeded.class)
                    .hasMessage("upstream shop: deadline passed in the queue");
        }
    }

    static void assertStats(Permits permits, int busy, int queued) {
        OffloadStats stats = permits.stats();
        assertThat(List.of(stats.busy(), stats.queued())).as("busy, queued").containsExactly(busy, queued);
    }

    final void runHomes() {
        home.run();
        otherHome.run();
    }
}
