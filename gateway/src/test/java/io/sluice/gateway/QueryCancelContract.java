package io.sluice.gateway;

import static io.sluice.gateway.QuerySubject.ok;
import static io.sluice.gateway.QuerySubject.problem;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.offload.PoolScrape;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

/** Contract of cancelled statements, and of statements that the pool refuses. */
interface QueryCancelContract extends QuerySubject {
    String LONG = "GET /one/long HTTP/1.1\r\nHost: x\r\n\r\n";

    /** Checks that the only worker is free, and that earlier cancels do not hit later statements. */
    private void assertWorkerIsFree() throws Exception {
        var pool = new PoolScrape(gateway().adminPort(), "one");
        await().pollInterval(ofMillis(20)).until(() -> running() == 0 && pool.isIdle());
        for (int i = 0; i < 200; i++) {
            assertThat(ok(gateway().get("/one/quick"))).isEqualTo("[{\"ok\":1}]");
        }
    }

    @Test
    default void aClientThatGoesAwayTakesItsStatementWithIt() throws Exception {
        for (int i = 0; i < 3; i++) {
            try (RawClient client = gateway().connect()) {
                client.send(LONG);
                await().until(() -> running() == 1);
            }
            assertWorkerIsFree();
        }
    }

    @Test
    default void aClientThatIsGoneAtOnceTakesItsStatementWithIt() throws Exception {
        for (int i = 0; i < 20; i++) {
            try (RawClient client = gateway().connect()) {
                client.send(LONG);
            }
        }
        assertWorkerIsFree();
    }

    @Test
    default void aStatementThatTakesTooLongIsCancelledAndGets504() throws Exception {
        HttpResponse<String> answer = gateway().get("/one/long-soon");

        assertThat(problem(answer, 504)).isEqualTo("the response was not ready within its time limit");
        assertWorkerIsFree();
    }

    @Test
    default void whereTheQueueIsFullARequestGets503AtOnce() throws Exception {
        try (RawClient atWork = gateway().connect(); RawClient waiting = gateway().connect()) {
            atWork.send(LONG);
            await().until(() -> running() == 1);
            waiting.send(LONG);
            await().until(() -> gateway().getAdmin("/metrics").body()
                    .contains("sluice_offload_queued{pool=\"one\"} 1.0"));

            HttpResponse<String> refused = gateway().get("/one/quick");
            assertThat(problem(refused, 503)).isEqualTo("overloaded; try again later");
            assertThat(refused.headers().firstValueAsLong("retry-after").orElseThrow()).isPositive();
            ok(gateway().get("/customers/1"));
        }
        assertWorkerIsFree();
    }
}
