package io.sluice.gateway.offload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RunningGateway;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Overload of ten times a pool's capacity: the pool keeps its throughput, and refuses the rest. */
class OverloadIT {
    private static final int WORKERS = 4;
    private static final int TASK_MILLIS = 20;
    private static final int OFFERED_PER_SECOND = 10 * WORKERS * 1000 / TASK_MILLIS;
    private static final int SECONDS = 1;

    private final Queue<Answered> answers = new ConcurrentLinkedQueue<>();

    private record Answered(int status, boolean retryAfter) {
        private static Answered of(HttpResponse<?> answer) {
            return new Answered(answer.statusCode(),
                    answer.headers().firstValueAsLong("retry-after").orElse(0) > 0);
        }
    }

    /** Returns the bounds of the queue: its limit, the pool's deadline, or the route's deadline. */
    static Stream<Arguments> bounds() {
        return Stream.of(
                Arguments.of(PoolKind.PLATFORM, "queue-limit = 50", "10s"),
                Arguments.of(PoolKind.VIRTUAL, "deadline = 500ms", "10s"),
                Arguments.of(PoolKind.PLATFORM, "queue-limit = 10000", "300ms"));
    }

    @ParameterizedTest
    @MethodSource("bounds")
    void excessRequestsAreRefusedAndTheRestAnswered(PoolKind kind, String bound, String deadline) {
        try (RunningGateway gateway = RunningGateway.start("""
                sluice.log.access = off
                sluice.offload.pools.main { workers = %d, %s, %s }
                sluice.routes.wait {
                  path = "/wait", handler = delay, mode = blocking, pool = main, deadline = %s
                }
                """.formatted(WORKERS, bound, kind.setting(), deadline))) {
            var pool = new PoolScrape(gateway.adminPort(), "main");
            offer(gateway);
            await().until(() -> answers.size() == SECONDS * OFFERED_PER_SECOND);

            assertRefusals(answers.stream().collect(Collectors.groupingBy(Answered::status, TreeMap::new,
                    Collectors.counting())), pool.refused());
        }
    }

    /** Sends requests in an open loop, which late answers do not slow down. */
    private void offer(RunningGateway gateway) {
        HttpRequest request = gateway.request("/wait?ms=" + TASK_MILLIS).build();
        long start = System.nanoTime();
        for (int i = 0; i < SECONDS * OFFERED_PER_SECOND; i++) {
            long due = start + TimeUnit.SECONDS.toNanos(i) / OFFERED_PER_SECOND;
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left); // each request has its time, regardless of answers: an open loop
            }
            gateway.client().sendAsync(request, HttpResponse.BodyHandlers.discarding())
                    .thenApply(Answered::of).exceptionally(_ -> new Answered(0, false))
                    .thenAccept(answers::add);
        }
    }

    private void assertRefusals(Map<Integer, Long> byStatus, int refused) {
        assertThat(byStatus.keySet()).as("statuses: %s", byStatus).isSubsetOf(200, 503, 504);
        assertThat(byStatus.getOrDefault(200, 0L)).as("answered: %s", byStatus).isPositive();
        List<Answered> refusals = answers.stream().filter(answer -> answer.status() == 503).toList();
        assertThat(refusals).as("refused").hasSize(refused).allMatch(Answered::retryAfter);
        assertThat(refused).as("overload, or this shows nothing").isPositive();
    }
}
