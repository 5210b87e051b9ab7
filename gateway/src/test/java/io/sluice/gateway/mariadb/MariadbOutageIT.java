package io.sluice.gateway.mariadb;

import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Statements that MariaDB ends by itself, or does not end. */
class MariadbOutageIT {
    private static final String CONFIG = """
            sluice.log.access = off
            sluice.offload.pools.shop.workers = 1
            sluice.databases.shop { url = "%s", user = sluice, password = s3cret, pool = shop
              connection-timeout = 1s } # an abort takes as long where the server says nothing
            sluice.routes.one { path = /one, handler = query, database = shop, sql = "SELECT 1 AS n" }
            sluice.routes.long { path = /long, handler = query, database = shop, deadline = 60s
              sql = "SELECT COUNT(*) AS n FROM seq_1_to_100000 AS a, seq_1_to_100000 AS b" }
            sluice.routes.late = ${sluice.routes.long} { path = /late, deadline = 5s }
            """;

    /** An action of a test. */
    @FunctionalInterface
    private interface Action {
        void run() throws Exception;
    }

    private static MariadbProcess mariadb;
    private static RunningGateway gateway;

    @BeforeAll
    static void start() throws Exception {
        mariadb = MariadbProcess.startOrSkip();
        gateway = RunningGateway.start(CONFIG.formatted(mariadb.url()));
    }

    @AfterAll
    static void stop() {
        if (gateway != null) {
            gateway.close();
        }
        if (mariadb != null) {
            mariadb.close();
        }
    }

    /** Returns the id of the connection that runs the statement of a request; 0 for none. */
    private static long running() throws SQLException {
        try (Connection connection = connect(); Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("SELECT id FROM information_schema.processlist "
                        + "WHERE info LIKE '%seq_1_to_100000%' AND info NOT LIKE '%processlist%'")) {
            return found.next() ? found.getLong(1) : 0;
        }
    }

    /** Requests, and runs an action while the database runs the statement; returns the status. */
    private static int during(String target, Action action) throws Exception {
        await().atMost(ofMinutes(1)).until(() -> running() == 0);
        awaitService();
        try (RawClient client = gateway.connect()) {
            client.send("GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n");
            await().atMost(ofMinutes(1)).until(() -> running() != 0);
            action.run();
            return client.read().status();
        }
    }

    private static void awaitService() {
        await().atMost(ofMinutes(1)).until(() -> gateway.get("/one").statusCode() == 200);
    }

    private static void kill(String what) throws SQLException {
        try (Connection connection = connect(); Statement statement = connection.createStatement()) {
            statement.execute(what + ' ' + running());
        }
    }

    private static Connection connect() throws SQLException {
        return DriverManager.getConnection(mariadb.url(), "sluice", "s3cret");
    }

    @Test
    void aStatementThatItEndsHasItsStatus() throws Exception {
        assertThat(during("/long", () -> kill("KILL QUERY"))).isEqualTo(504);
        assertThat(during("/long", () -> kill("KILL"))).isEqualTo(503);
    }

    /** The driver opens a connection for each cancel and abort. */
    @Test
    void aWorkerIsFreeSoonThoughItTakesConnectionsAndSaysNothing() throws Exception {
        try {
            assertThat(during("/late", () -> mariadb.signal("STOP"))).isEqualTo(504);
            await().atMost(ofMinutes(1)).until(() -> gateway.getAdmin("/metrics").body()
                    .contains("sluice_offload_busy{pool=\"shop\"} 0.0"));
        } finally {
            mariadb.signal("CONT");
        }
        awaitService();
    }
}
