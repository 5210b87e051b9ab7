package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.offload.OffloadException.Refused.Reason;
import io.sluice.offload.Permits.Acquisition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PermitsTest extends PermitTestBed {

    @Test
    void aFreePermitIsGrantedWithinTheCallAndNeedsNoTimer() {
        Permits permits = permits(2, 0);

        Asked asked = ask(permits, "first");

        assertThat(asked.permit).isNotNull().isSameAs(asked.acquisition);
        assertThat(home.hasTimer()).isFalse();
        assertStats(permits, 1, 0);
        runHomes();
        assertThat(asked.calls).isOne();
    }

    @Test
    void requestsThatWaitAreServedInTheirOrderAtTheirHomes() {
        Permits permits = permits(1, 3);
        Asked first = ask(permits, "first");
        Asked second = ask(permits, "second");
        Asked third = ask(permits, "third", null, LONG, otherHome);
        assertThat(home.hasTimer()).isTrue();
        assertThat(otherHome.hasTimer()).isTrue();
        assertStats(permits, 1, 2);

        first.permit.release();
        assertThat(second.calls).as("calls before its home runs").isZero();
        assertStats(permits, 1, 1);
        runHomes();
        assertThat(home.hasTimer()).isFalse();
        second.permit.release();
        runHomes();
        third.permit.release();

        assertThat(granted).containsExactly("first", "second", "third");
        assertThat(List.of(second.calledAtHome, third.calledAtHome)).containsOnly(true);
        assertThat(otherHome.hasTimer()).isFalse();
        assertStats(permits, 0, 0);
        assertThat(events.started).hasValue(3);
        assertThat(events.finished).hasValue(3);
        assertThat(events.cancelled()).isZero();
    }

    @Test
    void aRequestThatExpiresInTheQueueGivesUpItsPlace() {
        Permits permits = permits(1, 1);
        Asked held = ask(permits, "held");
        Asked waiting = ask(permits, "waiting", null, Duration.ofSeconds(1), home);

        clock.advance(999, TimeUnit.MILLISECONDS);
        runHomes();
        assertThat(waiting.calls).isZero();
        clock.advance(1, TimeUnit.MILLISECONDS);
        runHomes();

        waiting.assertExpired();
        assertStats(permits, 1, 0);
        assertThat(events.cancelledInQueue).hasValue(1);
        held.permit.release();
        runHomes();
        assertThat(granted).containsExactly("held");
    }

    @Test
    void thePoolsDeadlineShortensThatOfARequest() {
        Permits permits = permits(1, 1, Duration.ofSeconds(2));
        ask(permits, "held");
        Asked waiting = ask(permits, "waiting");

        clock.advance(2, TimeUnit.SECONDS);
        runHomes();

        waiting.assertExpired();
    }

    @Test
    void aClientBeyondItsShareLeavesTheReserveAndComesBehindOthers() {
        Permits permits = permits(4, 10);
        ask(permits, "neighbour", OTHER, LONG, home).permit.release();
        var greedy = new ArrayList<Asked>();
        for (int i = 0; i < 4; i++) {
            greedy.add(ask(permits, "greedy", GREEDY, LONG, home));
        }
        assertStats(permits, 3, 1);

        Asked other = ask(permits, "other", OTHER, LONG, home);
        Asked behind = ask(permits, "behind", null, LONG, home);
        assertThat(other.permit).as("the reserved permit").isNotNull();
        assertStats(permits, 4, 2);
        other.permit.release();
        runHomes();

        assertThat(behind.permit).isNotNull();
        assertThat(granted).containsExactly("neighbour", "greedy", "greedy", "greedy", "other", "behind");
        greedy.get(0).permit.release();
        assertStats(permits, 3, 1);
        ask(permits, "other", OTHER, LONG, home);
        assertStats(permits, 4, 1);
        greedy.get(1).permit.release();
        runHomes();
        assertThat(greedy.get(3).permit).as("within its share again").isNotNull();
    }

    @Test
    void lastingWorkOfAClientBeyondItsShareGivesWayToOthers() {
        Permits permits = permits(4, 10, Duration.ofSeconds(2));
        var reclaimed = new ArrayList<Integer>();
        var greedy = new ArrayList<Asked>();
        for (int i = 0; i < 4; i++) {
            int number = i;
            greedy.add(ask(permits, "greedy", GREEDY, LONG, home));
            greedy.getLast().permit.lasts(() -> reclaimed.add(number));
            clock.advance(1, TimeUnit.MILLISECONDS);
        }
        greedy.removeFirst().permit.release();
        Asked quick = ask(permits, "quick", GREEDY, LONG, home);
        clock.advance(1, TimeUnit.SECONDS);
        assertThat(ask(permits, "waiting", OTHER, LONG, home).calls).isZero();
        clock.advance(1, TimeUnit.SECONDS);
        runHomes();
        assertThat(granted).endsWith("quick", "waiting");

        assertThat(ask(permits, "at once", OTHER, LONG, home).permit).isNotNull();
        runHomes();

        assertThat(reclaimed).containsExactly(1, 2);
        assertThat(quick.permit).isNotNull();
        ask(permits, "the last", THIRD, LONG, home);
        runHomes();
        assertThat(reclaimed).as("within its share again").hasSize(2);
        assertThat(permits.stats().busy()).isEqualTo(4);
    }

    /** Requests of its own that wait do not get it, even without a reserve. */
    @Test
    void aReclaimedPermitIsForTheOtherClient() {
        Permits permits = permits(2, 10, Duration.ofSeconds(2));
        for (int i = 0; i < 2; i++) {
            ask(permits, "greedy", GREEDY, LONG, home).permit.lasts(() -> { });
        }
        clock.advance(1, TimeUnit.MINUTES);
        ask(permits, "surplus", GREEDY, LONG, home);
        clock.advance(1, TimeUnit.SECONDS);

        ask(permits, "other", OTHER, LONG, home);
        assertThat(granted).containsExactly("greedy", "greedy", "other");
        assertStats(permits, 2, 1);
    }

    @Test
    void aFullQueueRefusesTheYoungestBeyondAClientsShareAtItsHome() {
        Permits permits = permits(2, 2);
        for (int i = 0; i < 3; i++) {
            ask(permits, "greedy", GREEDY, LONG, home);
        }
        Asked youngest = ask(permits, "youngest", GREEDY, LONG, otherHome);
        ask(permits, "none left", GREEDY, LONG, home)
                .assertRefused(Reason.QUEUE_FULL, "upstream shop: its queue is full");

        Asked other = ask(permits, "other", OTHER, LONG, home);

        assertThat(youngest.calls).as("calls before its home runs").isZero();
        runHomes();
        youngest.assertRefused(Reason.QUEUE_FULL, "upstream shop: its queue is full");
        assertThat(youngest.calledAtHome).isTrue();
        assertThat(otherHome.hasTimer()).isFalse();
        assertThat(other.calls).isZero();
        assertStats(permits, 2, 2);
        assertThat(events.refused).hasSize(2);
        assertThat(events.cancelled()).isZero();
    }

    @Test
    void cancelledRequestGetsNoRefusal() {
        Permits permits = permits(1, 1);
        ask(permits, "held", GREEDY, LONG, home);
        Asked displaced = ask(permits, "displaced", GREEDY, LONG, home);
        ask(permits, "other", OTHER, LONG, otherHome);

        displaced.acquisition.cancel();
        runHomes();

        assertThat(displaced.calls).isZero();
        assertStats(permits, 1, 1);
        assertThat(events.refused).containsExactly(Reason.QUEUE_FULL);
        assertThat(events.cancelled()).isZero();
    }

    @Test
    void aRequestThatWouldBeTooLateIsRefusedAtOnce() {
        Permits permits = permits(1, 100);
        Asked measured = ask(permits, "measured");
        clock.advance(1, TimeUnit.SECONDS);
        measured.permit.release();
        for (int i = 0; i < 5; i++) {
            ask(permits, "long");
        }

        ask(permits, "late", null, Duration.ofSeconds(5), home)
                .assertRefused(Reason.TOO_LATE, "upstream shop: its queue is too long for the deadline");

        assertThat(ask(permits, "in time", null, Duration.ofSeconds(10), home).calls).isZero();
        assertThat(events.refused).containsExactly(Reason.TOO_LATE);
    }

    @Test
    void cancellingInTheQueueGivesUpThePlaceAndStopsTheTimer() {
        Permits permits = permits(1, 1);
        ask(permits, "held");
        Asked waiting = ask(permits, "waiting");

        waiting.acquisition.cancel();
        waiting.acquisition.cancel();
        clock.advance(LONG.toSeconds(), TimeUnit.SECONDS);
        runHomes();

        assertThat(waiting.calls).isZero();
        assertThat(home.hasTimer()).isFalse();
        assertStats(permits, 1, 0);
        assertThat(events.cancelledInQueue).hasValue(1);
    }

    @Test
    void closeRefusesQueuedAndNewRequestsAndKeepsGrantedPermits() {
        Permits permits = permits(1, 2);
        Asked held = ask(permits, "held");
        Asked waiting = ask(permits, "waiting");

        permits.close();
        permits.close();

        ask(permits, "new").assertRefused(Reason.CLOSED, "upstream shop: it is closed");
        assertThat(waiting.calls).as("calls before its home runs").isZero();
        runHomes();
        waiting.assertRefused(Reason.CLOSED, "upstream shop: it is closed");
        assertThat(events.refused).containsExactly(Reason.CLOSED, Reason.CLOSED);
        assertStats(permits, 1, 0);
        held.permit.release();
        assertStats(permits, 0, 0);
        assertThat(held.calls).isOne();
        assertThat(home.hasTimer()).isFalse();
    }

    @Test
    void aWaiterThatThrowsHasNoPermit() {
        Permits permits = permits(1, 0);
        Permits.Waiter throwing = new Permits.Waiter() {
            @Override
            public void granted(Acquisition permit) {
                throw new IllegalStateException("thrown by the waiter");
            }

            @Override
            public void refused(OffloadException reason) {
            }
        };

        assertThatThrownBy(() -> permits.acquire(null, Deadline.after(LONG, clock), home, throwing))
                .hasMessage("thrown by the waiter");

        assertStats(permits, 0, 0);
    }

    /** Two permits that are held for 10 s come back every 5 s; the work with them is in time after 1 s. */
    @Test
    void workIsInTimeWhenItHasBegunToRespond() {
        Permits permits = permits(2, 10);
        for (int i = 0; i < 4; i++) {
            Asked asked = ask(permits, "before");
            clock.advance(1, TimeUnit.SECONDS);
            asked.permit.responded();
            clock.advance(9, TimeUnit.SECONDS);
            asked.permit.release();
        }
        ask(permits, "busy");
        ask(permits, "busy");
        ask(permits, "waiting");

        assertThat(ask(permits, "in time", null, Duration.ofSeconds(20), home).refusal).isNull();
        ask(permits, "late", null, Duration.ofSeconds(17), home).assertRefused(Reason.TOO_LATE,
                "upstream shop: its queue is too long for the deadline");
        assertThat(permits.stats().meanRunTime()).isEqualTo(Duration.ofSeconds(10));
    }
}
