package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import io.sluice.config.PoolConfig;
import io.sluice.config.type.Share;
import io.sluice.offload.OffloadException.Refused;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Contract of clients with many tasks: they leave a share of the workers to other clients. */
interface ClientShareContract extends OffloadTestBed {
    ClientNetwork GREEDY = new ClientNetwork(1, false);
    ClientNetwork OTHER = new ClientNetwork(2, false);

    private <T> Future<T> submit(Offload offload, ClientNetwork client, Work<T> work) {
        return offload.submit(client, Deadline.after(LONG), home(), work);
    }

    @Test
    default void aClientWithManyTasksLeavesAWorkerForItsNeighbours() throws Exception {
        Offload offload = offload(4, 10);
        assertResult(submit(offload, OTHER, _ -> "a neighbour"), "a neighbour");
        eventuallyIdle(offload);
        Gate slow = gate();
        Gate last = gate();
        for (int i = 0; i < 3; i++) {
            submit(offload, GREEDY, slow);
        }
        submit(offload, GREEDY, last);
        Future<String> given = submit(offload, GREEDY, _ -> "given up");
        assertStats(offload, 3, 2);

        for (int i = 0; i < 3; i++) {
            assertResult(submit(offload, OTHER, _ -> "at once"), "at once");
        }
        given.cancel(false);
        eventually(() -> assertStats(offload, 3, 1));
        slow.open();
        last.awaitEntered();
        eventually(() -> assertStats(offload, 1, 0));
        last.open();
    }

    @Test
    default void aClientMayHaveAllOfAPoolWhileItHasNoNeighbours() throws Exception {
        MockTicker clock = Ticker.newMockTicker();
        Offload offload = offload(pool(4, 10, LONG), events(), clock);
        result(submit(offload, OTHER, _ -> null));
        eventuallyIdle(offload);
        Gate gate = gate();
        for (int i = 0; i < 5; i++) {
            offload.submit(GREEDY, Deadline.after(LONG, clock), home(), gate);
        }
        assertStats(offload, 3, 2);

        clock.advance(1, TimeUnit.MINUTES);
        offload.submit(GREEDY, Deadline.after(LONG, clock), home(), gate);

        assertStats(offload, 4, 2);
        gate.open();
    }

    @Test
    default void aClientMayHaveAllOfAPoolThatIsTooSmallForAReserveOrHasNoShare() throws Exception {
        Gate gate = gate();
        PoolConfig config = pool(4, 10, LONG);
        var unshared = new PoolConfig(config.kind(), 4, 10, LONG, new Share(100),
                config.clientGrace());
        for (Offload offload : List.of(offload(2, 10), offload(unshared, events()))) {
            result(submit(offload, OTHER, _ -> null));
            eventuallyIdle(offload);
            int workers = offload.stats().workers();
            for (int i = 0; i < workers; i++) {
                submit(offload, GREEDY, gate);
            }
            assertStats(offload, workers, 0);
        }
        gate.open();
    }

    private static void assertStats(Offload offload, int busy, int queued) {
        OffloadStats stats = offload.stats();
        assertThat(List.of(stats.busy(), stats.queued())).as("busy, queued").containsExactly(busy, queued);
    }

    @Test
    default void aTaskThatWouldBeTooLateForTheWorkersOfItsClientIsRefused() throws Exception {
        MockTicker clock = Ticker.newMockTicker();
        Offload offload = offload(pool(4, 100, LONG), events(), clock);
        for (ClientNetwork client : List.of(OTHER, GREEDY)) {
            result(offload.submit(client, Deadline.after(LONG, clock), home(), _ -> {
                clock.advance(9, TimeUnit.SECONDS);
                return null;
            }));
            eventuallyIdle(offload); // the run time is measured before the clock advances
        }
        Gate gate = gate();
        for (int i = 0; i < 4; i++) {
            offload.submit(GREEDY, Deadline.after(LONG, clock), home(), gate);
        }
        // Three workers are busy, and one task waits: (3 + 1) x 9 s / 3 of waiting and 9 s of running are 21
        // s.
        Deadline tight = Deadline.after(Duration.ofSeconds(23), clock);

        assertThat(failure(offload.submit(GREEDY, tight, home(), _ -> "late")))
                .isInstanceOfSatisfying(Refused.class, refused ->
                        assertThat(refused.reason()).isEqualTo(Refused.Reason.TOO_LATE));
        Future<String> inTime = offload.submit(GREEDY, Deadline.after(Duration.ofSeconds(24), clock), home(),
                _ -> "in time");
        assertResult(offload.submit(OTHER, tight, home(), _ -> "at once"), "at once");
        gate.open();
        assertResult(inTime, "in time");
    }

    @Test
    default void aNeighboursTaskComesBeforeThoseBeyondAClientsShare() throws Exception {
        Offload offload = offload(1, 100);
        Gate held = gate();
        submit(offload, GREEDY, held);
        List<String> order = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 20; i++) {
            submit(offload, GREEDY, _ -> order.add("greedy"));
        }
        Future<?> neighbour = submit(offload, OTHER, _ -> order.add("other"));

        held.open();

        result(neighbour);
        eventuallyIdle(offload);
        assertThat(order).hasSize(21).startsWith("other");
    }

    @Test
    default void aFullQueueTakesANeighboursTaskInPlaceOfTheYoungestBeyondAClientsShare() throws Exception {
        Offload offload = offload(2, 3);
        Gate held = gate();
        submit(offload, GREEDY, held);
        submit(offload, GREEDY, held);
        Future<String> older = submit(offload, GREEDY, _ -> "older");
        submit(offload, GREEDY, _ -> "old");
        Future<String> youngest = submit(offload, GREEDY, _ -> "youngest");
        assertThat(failure(submit(offload, GREEDY, _ -> "one more"))).isInstanceOf(Refused.class);

        Future<String> neighbour = submit(offload, OTHER, _ -> "neighbour");

        assertThat(failure(youngest)).isInstanceOfSatisfying(Refused.class, refused ->
                assertThat(refused.reason()).isEqualTo(Refused.Reason.QUEUE_FULL));
        held.open();
        assertResult(neighbour, "neighbour");
        assertResult(older, "older");
        eventually(() -> assertThat(events().refused).hasSize(2));
        assertThat(events().cancelled()).isZero();
    }

    @Test
    default void aWorkerWaitsLittleForAClientThatHoldsMoreThanItsShare() throws Exception {
        Offload offload = offload(2, 10);
        Gate gate = gate();
        long alone = result(submit(offload, GREEDY, WorkScope::clientGraceNanos));
        submit(offload, GREEDY, gate);
        gate.awaitEntered();

        assertThat(result(submit(offload, OTHER, WorkScope::clientGraceNanos))).isEqualTo(alone);
        eventually(() -> assertThat(result(submit(offload, GREEDY, WorkScope::clientGraceNanos)))
                .isEqualTo(alone / 10));
        gate.open();
    }
}
