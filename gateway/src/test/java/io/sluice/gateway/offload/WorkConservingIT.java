package io.sluice.gateway.offload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A pool is work-conserving: no task waits while a worker is free, and a long task delays no other. */
class WorkConservingIT {
    private static final int SHORT_TASKS = 1000;

    static Stream<Arguments> pools() {
        return Stream.of(Arguments.of(PoolKind.PLATFORM, 2), Arguments.of(PoolKind.VIRTUAL, 4));
    }

    @ParameterizedTest
    @MethodSource("pools")
    void oneLongTaskAmongAThousandShortOnesDelaysNone(PoolKind kind, int workers) throws Exception {
        try (RunningGateway gateway = RunningGateway.start("""
                sluice.log.access = off
                sluice.offload.pools.main { workers = %d, queue-limit = 2000, deadline = 10m, %s }
                sluice.routes.wait {
                  path = "/wait", handler = delay, mode = blocking, pool = main, deadline = 10m, max = 10m
                }
                """.formatted(workers, kind.setting()));
                RawClient longOne = gateway.connect()) {
            var pool = new PoolScrape(gateway.adminPort(), "main");
            var before = shortTasks(gateway);
            longOne.send("GET /wait?ms=300000 HTTP/1.1\r\nHost: x\r\n\r\n");
            var behind = shortTasks(gateway);

            List<Integer> statuses = Stream.concat(before.stream(), behind.stream())
                    .map(CompletableFuture::join).map(HttpResponse::statusCode).toList();

            assertThat(statuses).hasSize(SHORT_TASKS).containsOnly(200);
            await().until(() -> pool.ran() == SHORT_TASKS && pool.queued() == 0);
            assertThat(pool.busy()).as("the long one is still at work").isEqualTo(1);
            assertThat(longOne.socket().getInputStream().available()).as("and unanswered").isZero();
        }
    }

    private static List<CompletableFuture<HttpResponse<String>>> shortTasks(RunningGateway gateway) {
        return IntStream.range(0, SHORT_TASKS / 2).mapToObj(_ -> gateway.client().sendAsync(
                gateway.request("/wait?ms=2").build(), HttpResponse.BodyHandlers.ofString())).toList();
    }
}
