package io.sluice.gateway;

import static io.sluice.gateway.QuerySubject.ok;
import static io.sluice.gateway.QuerySubject.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** Tables of PostgreSQL that are altered while routes read them. */
interface PostgresAlterations extends QuerySubject {

    /** Covers a statement in a transaction, and one outside. */
    @Test
    default void aTableThatIsAlteredIsReadAsItIsNow() throws Exception {
        for (int i = 0; i < 7; i++) { // until the server has a prepared statement
            assertThat(ok(gateway().get("/one/altered"))).isEqualTo("[{\"id\":1}]");
            assertThat(ok(gateway().get("/one/altered/first"))).isEqualTo("{\"id\":1}");
        }
        alter("ALTER TABLE altered ADD COLUMN name TEXT DEFAULT 'a'");

        assertThat(ok(gateway().get("/one/altered"))).isEqualTo("[{\"id\":1,\"name\":\"a\"}]");
        assertThat(ok(gateway().get("/one/altered/first"))).isEqualTo("{\"id\":1,\"name\":\"a\"}");
    }

    @Test
    default void aTransactionIsRunAgainWhenATableHasBeenAltered() throws Exception {
        for (int i = 0; i < 7; i++) { // until the server has prepared them
            assertThat(ok(gateway().post("/one/altered-in-steps", ""))).isEqualTo("[{\"id\":1}]");
        }
        ok(gateway().post("/one/alter", ""));

        assertThat(ok(gateway().post("/one/altered-in-steps", ""))).isEqualTo("[{\"id\":1,\"more\":7}]");
        assertThat(ok(gateway().get("/one/altered-count"))).isEqualTo("{\"n\":8}");
    }

    /** The statements that the server forgets are prepared, except for the query's own. */
    @Test
    default void aTransactionThatIsRunAgainHasOneResponse() throws Exception {
        for (int i = 0; i < 7; i++) {
            assertThat(ok(post("/one/remembered", "r" + i))).isEqualTo("{\"n\":1}");
        }

        assertThat(ok(post("/one/forgotten", "f"))).isEqualTo("{\"n\":2}");
        assertThat(ok(post("/one/forgotten", "f"))).isEqualTo("{\"n\":2}");
    }

    private HttpResponse<String> post(String target, String key) throws Exception {
        return gateway().send(gateway().request(target).header("Idempotency-Key", key)
                .POST(BodyPublishers.noBody()));
    }

    /** One connection, whose driver would otherwise remember that the column has no NULL. */
    @Test
    default void aColumnThatMayBeNullFromNowOnHasItsNullsInPages() throws Exception {
        ok(gateway().get(next("/one/paged?sort=name")));
        alter("ALTER TABLE paged ALTER name DROP NOT NULL; INSERT INTO paged VALUES (0, NULL)");

        assertThat(ok(gateway().get(next("/one/paged-later?sort=name"))))
                .isEqualTo("[{\"id\":3,\"name\":\"name 3\"},{\"id\":0,\"name\":null}]");
    }

    /** A backend that waits for a lock does not notice that its connection has been closed. */
    @Test
    default void theQuestionForColumnsEndsWithItsDeadline() throws Exception {
        PostgresServer postgres = PostgresServer.get();
        try (Connection connection = DriverManager.getConnection(
                postgres.url(), postgres.user(), postgres.password());
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("LOCK TABLE paged IN ACCESS EXCLUSIVE MODE");

            problem(gateway().get("/one/paged-soon?id%5Bge%5D=1"), 504);

            await().until(() -> running() == 0);
        }
        await().untilAsserted(() -> assertThat(ok(gateway().get("/one/paged-soon?id%5Bge%5D=3")))
                .contains("\"id\":3"));
    }

    private String next(String target) throws Exception {
        return QuerySelectionContract.next(gateway().get(target));
    }

    private static void alter(String sql) throws SQLException {
        PostgresServer postgres = PostgresServer.get();
        try (Connection connection = DriverManager.getConnection(
                postgres.url(), postgres.user(), postgres.password());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
