package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.Future;
import io.sluice.offload.OffloadException.Refused;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** A client with many tasks and its neighbours. */
interface ClientShareContract extends OffloadTestBed {
    ClientNetwork GREEDY = new ClientNetwork(1, false);
    ClientNetwork OTHER = new ClientNetwork(2, false);

    private <T> Future<T> submit(Offload offload, ClientNetwork client, Work<T> work) {
        return offload.submit(client, Deadline.after(LONG), home(), work);
    }

    @Test
    default void aClientMayHaveAllWorkersThatNobodyElseWants() throws Exception {
        Offload offload = offload(4, 10);
        Gate gate = gate();
        for (int i = 0; i < 4; i++) {
            submit(offload, GREEDY, gate);
        }

        eventually(() -> assertThat(offload.stats().busy()).isEqualTo(4));
        gate.open();
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
