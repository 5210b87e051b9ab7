package io.sluice.gateway.offload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Live results on H2, and what does not depend on the database. */
class LiveQueriesOnH2IT extends LiveQueriesContract {
    private static final String URL = "jdbc:h2:mem:live;MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE";

    @Override
    String open() throws Exception {
        database = new Statements(URL, "sluice", "");
        database.change("CREATE ALIAS gate FOR \"" + LiveGate.class.getName() + ".pass\"");
        return config("");
    }

    private static String config(String keys) {
        return (ROUTES + keys).formatted(URL, "sluice", "", "gate()");
    }

    @Override
    void closeGate() {
        LiveGate.close();
    }

    @Override
    void openGate() {
        LiveGate.open();
    }

    @Test
    void aStreamOutlivesItsDeadlineAndReloadsThatKeepItsRoute() throws Exception {
        String keys = "sluice.routes.order { deadline = 1s, live.heartbeat = 100ms }\n";
        gateway.reload(config(keys));
        try (var kept = new LiveEvents(gateway, "/orders/7")) {
            int comments = 0;
            for (String next = kept.nextOrComment(); comments < 15; next = kept.nextOrComment()) {
                assertThat(next).isNotEqualTo(LiveEvents.END);
                comments += next.equals(":") ? 1 : 0;
            }
            gateway.reload(config(keys + "sluice.routes.more { path = /more, handler = text, text = hi }\n"));
            try (var later = new LiveEvents(gateway, "/orders/7")) {
                assertThat(later.nextOrComment()).isNotEqualTo(LiveEvents.END);
                assertThat(gateway.getAdmin("/metrics").body())
                        .contains("sluice_live_results{uri=\"/orders/{id}\"} 1.0");

                gateway.reload(config(keys).replace("SELECT id,", "SELECT id + 0 AS id,"));
                for (String next = later.nextOrComment(); !next.equals(LiveEvents.END); ) {
                    next = later.nextOrComment();
                }
            }
            for (String next = kept.nextOrComment(); !next.equals(LiveEvents.END); ) {
                next = kept.nextOrComment();
            }
        }
    }

    @Test
    void aDrainEndsTheStreams() throws Exception {
        try (var stream = new LiveEvents(gateway, "/orders/7")) {
            assertThat(data(stream.next())).isEqualTo(order("new"));
            var closed = CompletableFuture.runAsync(gateway::stop);
            assertThat(stream.next()).isEqualTo(LiveEvents.END);
            closed.get(90, TimeUnit.SECONDS);
        }
    }

    @Test
    void aStreamNeedsTheTokenOfItsRoute() throws Exception {
        gateway.reload(config("sluice.tokens.app.sha256 = \"%s\"\nsluice.routes.order.tokens = [app]\n"
                .formatted("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
                .replace("%", "%%")));
        assertThat(gateway.send(gateway.request("/orders/7").header("Accept", "text/event-stream"))
                .statusCode()).isEqualTo(401);
        try (var stream = new LiveEvents(gateway, "/orders/7", "Authorization", "Bearer test")) {
            assertThat(data(stream.next())).isEqualTo(order("new"));
            gateway.reload(config("sluice { tokens.b.sha256 = %s, routes.order.tokens = [b] }\n"
                    .formatted("f".repeat(64))));
            assertThat(stream.next()).isEqualTo(LiveEvents.END);
        }
    }
}
