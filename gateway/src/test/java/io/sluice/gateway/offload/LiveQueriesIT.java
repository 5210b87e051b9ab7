package io.sluice.gateway.offload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.PostgresServer;
import java.net.InetSocketAddress;
import java.net.URI;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Live results on PostgreSQL, which can be gone and cancel statements. */
class LiveQueriesIT extends LiveQueriesContract {
    private static final String GATE =
            "(SELECT count(*) FROM (SELECT pg_advisory_xact_lock_shared(24)) AS gate) > 0";

    private OutageProxy proxy;

    @Override
    String open() throws Exception {
        PostgresServer server = PostgresServer.get();
        database = new Statements(server.url(), server.user(), server.password());
        URI uri = URI.create(server.url().substring("jdbc:".length()));
        proxy = new OutageProxy(new InetSocketAddress(uri.getHost(), uri.getPort()));
        return ROUTES.formatted("jdbc:postgresql://127.0.0.1:" + proxy.port() + uri.getPath(), server.user(),
                server.password(), GATE);
    }

    @AfterEach
    void closeProxy() {
        proxy.close();
    }

    @Override
    void closeGate() throws Exception {
        database.change("SELECT pg_advisory_lock(24)");
    }

    @Override
    void openGate() throws Exception {
        database.change("SELECT pg_advisory_unlock(24)");
    }

    @Test
    void theLastStreamThatGoesTakesTheStatementWithIt() throws Exception {
        closeGate();
        try (var one = new LiveEvents(gateway, "/orders/7")) {
            await().atMost(SOON).until(() -> running() == 1);
            try (var other = new LiveEvents(gateway, "/orders/7")) {
                await().atMost(SOON).until(() -> gateway.getAdmin("/metrics").body()
                        .contains("sluice_live_streams{uri=\"/orders/{id}\"} 2.0"));
                one.leave();
                await().atMost(SOON).until(() -> gateway.getAdmin("/metrics").body()
                        .contains("sluice_live_streams{uri=\"/orders/{id}\"} 1.0"));
                // The check of statements at the start may be seen, too.
                await().atMost(SOON).until(() -> running() == 1);
                other.leave();
                await().atMost(SOON).until(() -> running() == 0);
            }
        } finally {
            openGate();
        }
        try (var stream = new LiveEvents(gateway, "/orders/7")) {
            assertThat(data(stream.next())).isEqualTo(order("new"));
        }
    }

    @Test
    void anOutageIsToldAndItsEndToo() throws Exception {
        try (var stream = new LiveEvents(gateway, "/orders/7")) {
            String first = stream.next();
            proxy.begin(Outage.REFUSED);
            publish();
            assertThat(stream.next()).matches("event: problem\nid:\ndata: \\{.*\"status\":50[34].*");
            proxy.end();
            String next = stream.next();
            while (next.startsWith("event: problem")) { // each status is told
                next = stream.next();
            }
            assertThat(next).isEqualTo(first);
        }
    }
}
