package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.config.PoolConfig;
import io.sluice.offload.OffloadException.DeadlineExceeded;
import io.sluice.offload.Permits.Acquisition;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Permits under many requests from two event loops, which makes races of one in 10,000 show. */
class PermitsStressTest {
    private static final int REQUESTS_EACH = 100_000;
    private static final int PERMITS = 7;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final CountingObserver events = new CountingObserver();
    private final Permits permits = Permits.create("upstream stressed",
            PoolConfig.of(PoolConfig.Kind.VIRTUAL, PERMITS, 60, PATIENCE), events);
    private final AtomicInteger out = new AtomicInteger();
    private final AtomicInteger expired = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger granted = new AtomicInteger();
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();

    @Test
    void noPermitIsLostOrDoubledBetweenTwoLoops() throws Exception {
        var loops = List.of(new DefaultEventExecutor(), new DefaultEventExecutor());
        var users = List.of(new User(1, loops.get(0), loops.get(1)), new User(2, loops.get(1), loops.get(0)));
        users.forEach(user -> user.home.execute(user::next));

        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(faults).isEmpty();
            assertThat(users).allMatch(user -> user.asked == REQUESTS_EACH);
            assertThat(permits.stats().busy()).isZero();
            assertThat(permits.stats().queued()).isZero();
        });

        for (EventExecutor loop : loops) { // calls in flight arrive before the loop ends
            loop.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync();
        }
        assertThat(faults).isEmpty();
        assertThat(out).hasValue(0);
        assertThat(events.started).hasValue(granted.get());
        assertThat(events.finished).hasValue(granted.get());
        assertThat(events.started.get() + events.refused.size() + events.cancelledInQueue.get())
                .as("requests that began or not, once").isEqualTo(2 * REQUESTS_EACH);
        assertThat(List.of(granted.get(), refused.get(), expired.get())).as("some of each")
                .allMatch(count -> count > 0);
    }

    /** A client on one event loop with several concurrent requests. */
    private final class User {
        private final SplittableRandom random;
        private final ClientNetwork client;
        private final EventExecutor home;
        private final EventExecutor other;
        private volatile int asked;

        User(int number, EventExecutor home, EventExecutor other) {
            random = new SplittableRandom(number);
            client = new ClientNetwork(number, false);
            this.home = home;
            this.other = other;
        }

        /** Requests a few permits, and schedules itself again. */
        void next() {
            int few = Math.min(random.nextInt(20), REQUESTS_EACH - asked);
            for (int i = 0; i < few; i++) {
                ask();
            }
            asked += few;
            if (asked < REQUESTS_EACH) {
                home.execute(this::next);
            }
        }

        private void ask() {
            Deadline deadline = Deadline.after(Duration.ofNanos(10_000 + random.nextInt(3_000_000)));
            int cancel = random.nextInt(8);
            var request = new Request(this, random.nextInt(8), cancel != 2);
            Acquisition acquisition = permits.acquire(random.nextInt(3) == 0 ? null : client, deadline, home,
                    request);
            switch (cancel) {
                case 0 -> request.cancel(acquisition);
                case 1 -> home.execute(() -> request.cancel(acquisition));
                case 2 -> other.execute(acquisition::cancel);
                default -> { }
            }
        }
    }

    /** A request that holds its permit for a while. */
    private final class Request implements Permits.Waiter {
        private final User user;
        private final int kind;
        /** False if another loop may cancel the request while it begins. */
        private final boolean counts;
        private boolean isOut;
        private int calls;
        private boolean cancelled;

        Request(User user, int kind, boolean counts) {
            this.user = user;
            this.kind = kind;
            this.counts = counts;
        }

        /** Cancels the request on its home executor; after that neither callback is called. */
        void cancel(Acquisition acquisition) {
            cancelled = true;
            giveBack(acquisition::cancel);
        }

        private void giveBack(Runnable how) {
            countBack();
            how.run();
        }

        /** Both loops may give one permit back: the second waits here until it is counted. */
        private synchronized void countBack() {
            if (isOut) {
                isOut = false;
                out.decrementAndGet();
            }
        }

        private synchronized void countOut() {
            isOut = true;
            if (out.incrementAndGet() > PERMITS) {
                faults.add("more out than there are");
            }
        }

        @Override
        public void granted(Acquisition permit) {
            called();
            granted.incrementAndGet();
            if (counts) {
                countOut();
            }
            switch (kind) {
                case 0 -> giveBack(permit::release);
                case 1 -> user.other.execute(() -> giveBack(permit::release));
                case 2 -> user.home.schedule(() -> giveBack(permit::cancel), 200, TimeUnit.MICROSECONDS);
                default -> user.home.execute(() -> giveBack(permit::release));
            }
        }

        @Override
        public void refused(OffloadException reason) {
            called();
            (reason instanceof DeadlineExceeded ? expired : refused).incrementAndGet();
        }

        private void called() {
            if (++calls > 1) {
                faults.add(calls + " calls");
            }
            if (cancelled) {
                faults.add("called after its cancel");
            }
            if (!user.home.inEventLoop()) {
                faults.add("called elsewhere");
            }
        }
    }
}
