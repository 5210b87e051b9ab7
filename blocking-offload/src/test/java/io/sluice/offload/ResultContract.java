package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.AbstractReferenceCounted;
import io.netty.util.ReferenceCounted;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** Contract of results and failures, and of the worker's state after a task. */
interface ResultContract extends OffloadTestBed {

    @Test
    default void aResultReachesTheFuture() throws Exception {
        assertResult(submit(offload(1, 0), _ -> "done"), "done");
    }

    @Test
    default void anExceptionReachesTheFutureAsItIs() throws Exception {
        var thrown = new IOException("thrown by the work");

        Future<?> future = submit(offload(1, 0), _ -> {
            throw thrown;
        });

        assertThat(failure(future)).isSameAs(thrown);
    }

    @Test
    default void anErrorReachesTheFutureAndItsWorkerLivesOn() throws Exception {
        Offload offload = offload(1, 1);
        var thrown = new LinkageError("thrown by the work");

        Future<?> future = submit(offload, _ -> {
            throw thrown;
        });

        assertThat(failure(future)).isSameAs(thrown);
        assertResult(submit(offload, _ -> "done"), "done");
    }

    @Test
    default void listenersAreCalledOnTheHomeExecutorHoweverTheTaskEnds() throws Exception {
        Offload offload = offload(1, 1);
        Gate gate = gate();
        Future<?> done = submit(offload, gate);
        gate.awaitEntered();
        Future<?> cancelled = submit(offload, _ -> "never");
        Future<?> refused = submit(offload, _ -> "never");
        cancelled.cancel(false);
        gate.open();

        for (Future<?> future : List.of(done, cancelled, refused)) {
            var calledAtHome = new CompletableFuture<Boolean>();
            future.addListener(_ -> calledAtHome.complete(home().inEventLoop()));
            assertThat(calledAtHome.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    default void aResultThatComesInTimeIsNotReleased() throws Exception {
        assertThat(result(submit(offload(1, 0), _ -> new Counted())).refCnt()).isOne();
    }

    @Test
    default void aResultThatComesAfterTheCancelIsReleased() throws Exception {
        Offload offload = offload(1, 0);
        Gate gate = gate();
        var late = new Counted();
        Future<Counted> future = submit(offload, scope -> {
            gate.run(scope);
            return late;
        });
        gate.awaitEntered();

        future.cancel(false);
        gate.open();

        eventually(() -> assertThat(late.refCnt()).isZero());
    }

    @Test
    default void nothingIsKeptOfATaskThatIsDone() throws Exception {
        Offload offload = offload(1, 0);
        var kept = new WeakReference<>(submit(offload, _ -> new Object()));
        eventually(() -> assertThat(events().finished).hasValue(1));

        eventually(() -> {
            System.gc();
            assertThat(kept.get()).isNull();
        });
        assertThat(offload.stats().busy()).isZero();
    }

    @Test
    default void workSeesTheLoggingContextOfItsSubmitterAndOfNobodyElse() throws Exception {
        Offload offload = offload(1, 1);
        MDC.put("request", "first");
        Future<String> first = submit(offload, _ -> {
            MDC.put("left", "behind");
            return MDC.get("request");
        });
        MDC.clear();

        assertResult(first, "first");
        Map<String, String> second = result(submit(offload, _ -> MDC.getCopyOfContextMap()));
        assertThat(second == null ? Map.of() : second).isEmpty();
        eventuallyIdle(offload);
        assertThat(events().leftContexts).isEmpty();
    }

    @Test
    default void anInterruptThatWorkLeavesBehindDoesNotReachTheNextTask() throws Exception {
        Offload offload = offload(1, 2);
        Gate gate = occupy(offload);
        submit(offload, _ -> {
            Thread.currentThread().interrupt();
            return null;
        });
        Future<Boolean> next = submit(offload, _ -> Thread.interrupted());

        gate.open();

        assertResult(next, false);
    }

    /** A result that its receiver must release. */
    final class Counted extends AbstractReferenceCounted {
        @Override
        protected void deallocate() {
        }

        @Override
        public ReferenceCounted touch(Object hint) {
            return this;
        }
    }
}
