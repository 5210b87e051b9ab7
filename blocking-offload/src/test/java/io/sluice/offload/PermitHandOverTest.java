package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.offload.OffloadException.Refused.Reason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The hand-over of a permit from one request to the next. */
class PermitHandOverTest extends PermitTestBed {

    @Test
    void aPermitWhoseReceiverWasCancelledOnItsWayGoesToTheNext() {
        Permits permits = permits(1, 2);
        Asked held = ask(permits, "held");
        Asked cancelled = ask(permits, "cancelled", null, LONG, otherHome);
        Asked next = ask(permits, "next");
        held.permit.release();

        cancelled.acquisition.cancel();
        home.run();

        assertThat(next.permit).as("before the other home runs").isNotNull();
        runHomes();
        assertThat(cancelled.calls).isZero();
        assertThat(otherHome.hasTimer()).isFalse();
        assertStats(permits, 1, 0);
        next.permit.release();
        assertStats(permits, 0, 0);
        assertThat(events.started).hasValue(2);
        assertThat(events.finished).hasValue(2);
        assertThat(events.cancelledInQueue).hasValue(1);
    }

    @Test
    void aPermitReleasedBeforeItsReceiverKnowsGoesToTheNext() {
        Permits permits = permits(1, 2);
        Asked held = ask(permits, "held");
        Asked released = ask(permits, "released");
        Asked next = ask(permits, "next");
        held.permit.release();

        released.acquisition.release();
        runHomes();

        assertThat(released.calls).isZero();
        assertThat(next.permit).isNotNull();
        assertThat(permits.stats().meanRunTime()).isZero();
    }

    @Test
    void aPermitWhoseReceiverExpiredOnItsWayGoesToTheNext() {
        Permits permits = permits(1, 2);
        Asked held = ask(permits, "held");
        Asked expired = ask(permits, "expired", null, Duration.ofSeconds(1), home);
        Asked next = ask(permits, "next", null, LONG, otherHome);
        held.permit.release();

        clock.advance(1, TimeUnit.SECONDS);
        runHomes();

        expired.assertExpired();
        assertThat(next.permit).isNotNull();
        assertStats(permits, 1, 0);
        assertThat(home.hasTimer()).isFalse();
    }

    @Test
    void aPermitThatArrivesWhileTheTimerIsSetIsKept() {
        receiveWhileTheTimerIsSet(Duration.ZERO);
    }

    @Test
    void aPermitThatArrivesWhileTheTimerIsSetIsKeptWhenThatFires() {
        receiveWhileTheTimerIsSet(Duration.ofSeconds(1));
    }

    /** Releases a permit while the waiting request sets its timer, as another thread may do. */
    private void receiveWhileTheTimerIsSet(Duration untilItIsSet) {
        Permits permits = permits(1, 1);
        Asked held = ask(permits, "held");
        home.onSchedule = () -> {
            held.permit.release();
            home.run();
            clock.advanceMillis(untilItIsSet.toMillis());
            home.run();
        };

        Asked waiting = ask(permits, "waiting", null, Duration.ofSeconds(1), home);

        assertThat(waiting.permit).isNotNull();
        assertThat(waiting.calls).isOne();
        assertThat(home.hasTimer()).isFalse();
        assertStats(permits, 1, 0);
    }

    @Test
    void aPermitWhoseReceiversHomeHasShutDownGoesToTheNext() {
        Permits permits = permits(1, 1_000_000);
        Asked held = ask(permits, "held");
        for (int i = 0; i < 20_000; i++) {
            ask(permits, "gone", null, LONG, otherHome);
        }
        Asked next = ask(permits, "next");
        otherHome.shutdownGracefully();

        held.permit.release();
        runHomes();

        assertThat(granted).containsExactly("held", "next");
        assertStats(permits, 1, 0);
        next.permit.release();
        assertStats(permits, 0, 0);
        assertThat(events.cancelledInQueue).hasValue(20_000);
    }

    @Test
    void aRequestThatWouldWaitAtAHomeThatHasShutDownIsRefusedAtOnce() throws Exception {
        Permits permits = permits(1, 1);
        Asked held = ask(permits, "held");
        EventExecutor gone = new DefaultEventExecutor();
        gone.shutdownGracefully(0, 0, TimeUnit.SECONDS).sync();

        ask(permits, "waiting", null, LONG, gone).assertRefused(Reason.CLOSED, "upstream shop: it is closed");

        assertStats(permits, 1, 0);
        held.permit.release();
        assertThat(ask(permits, "at once", null, LONG, gone).permit).isNotNull();
    }

    @Test
    void aWaiterThatThrowsAtItsHomePassesThePermitOn() {
        Permits permits = permits(1, 2);
        Asked held = ask(permits, "held");
        Asked throwing = ask(permits, "throwing");
        throwing.onGrant = () -> {
            throw new IllegalStateException("thrown by the waiter");
        };
        Asked next = ask(permits, "next", null, LONG, otherHome);

        held.permit.release();
        assertThat(home.runUntilItThrows()).hasMessage("thrown by the waiter");
        runHomes();

        assertThat(next.permit).isNotNull();
        assertStats(permits, 1, 0);
    }

    @Test
    void manyWaitersThatReleaseAtOnceDoNotExhaustTheStack() {
        Permits permits = permits(1, 1_000_000);
        Asked held = ask(permits, "held");
        for (int i = 0; i < 20_000; i++) {
            Asked waiting = ask(permits, "short");
            waiting.onGrant = () -> waiting.permit.release();
        }

        held.permit.release();
        runHomes();

        assertThat(granted).hasSize(20_001);
        assertStats(permits, 0, 0);
    }

    @Test
    void aPermitIsReleasedOnceOnAnyThread() throws Exception {
        Permits permits = permits(2, 1);
        Asked first = ask(permits, "first");
        Asked second = ask(permits, "second");

        Thread.ofPlatform().start(first.permit::release).join();
        first.permit.release();
        first.permit.cancel();

        assertStats(permits, 1, 0);
        second.permit.cancel();
        second.permit.release();
        assertStats(permits, 0, 0);
        assertThat(events.finished).hasValue(2);
        assertThat(events.cancelledAtWork).hasValue(1);
    }

    @Test
    void runTimesAreThoseOfReleasedPermitsAndOfLongOnesThatWereCutOff() {
        Permits permits = permits(1, 1);
        run(permits, 20).permit.release();
        run(permits, 10).permit.cancel();
        assertThat(permits.stats().meanRunTime()).isEqualTo(Duration.ofMillis(20));
        assertThat(permits.stats().capacity()).isCloseTo(50, within(1e-6));

        run(permits, 40).permit.cancel();

        assertThat(permits.stats().meanRunTime()).isEqualTo(Duration.ofMillis(30));
        assertThat(permits.stats().workers()).isOne();
        assertThat(permits.stats().arrivals()).isPositive();
        assertThat(permits.stats().meanBusy()).isCloseTo(1, within(1e-6));
    }

    private Asked run(Permits permits, long millis) {
        Asked asked = ask(permits, "run");
        clock.advanceMillis(millis);
        return asked;
    }

    @Test
    void aReclaimedPermitIsForTheRequestThatHasWaitedLongest() {
        Permits permits = permits(2, 1, Duration.ofSeconds(3));
        for (int i = 0; i < 2; i++) {
            ask(permits, "greedy", GREEDY, LONG, home).permit.lasts(() -> { });
        }
        clock.advance(2, TimeUnit.SECONDS);
        ask(permits, "first", OTHER, LONG, home);
        clock.advance(1, TimeUnit.SECONDS);

        Asked second = ask(permits, "second", THIRD, LONG, home);
        assertThat(second.calls).as("it waits, as the queue has room again").isZero();
        runHomes();
        assertThat(granted).containsExactly("greedy", "greedy", "first");
        assertStats(permits, 2, 1);
    }

    @Test
    void aPermitIsReclaimedForARequestThatWaitsAlready() {
        Permits permits = permits(4, 10, Duration.ofSeconds(3));
        for (int i = 0; i < 4; i++) {
            ask(permits, "greedy", GREEDY, LONG, home).permit.lasts(() -> { });
            clock.advance(500, TimeUnit.MILLISECONDS);
        }
        ask(permits, "first", OTHER, LONG, home);
        ask(permits, "second", THIRD, LONG, otherHome);
        ask(permits, "surplus", GREEDY, LONG, home);
        clock.advance(999, TimeUnit.MILLISECONDS);
        runHomes();
        assertStats(permits, 4, 3);

        clock.advance(1, TimeUnit.MILLISECONDS);
        runHomes();
        assertThat(granted).endsWith("greedy", "first");
        clock.advance(500, TimeUnit.MILLISECONDS);
        runHomes();

        assertThat(granted).endsWith("first", "second");
        clock.advance(LONG.toSeconds(), TimeUnit.SECONDS);
        runHomes();
        assertThat(events.cancelledAtWork).as("none for its own request").hasValue(2);
        assertThat(List.of(home.hasTimer(), otherHome.hasTimer())).containsOnly(false);
    }
}
