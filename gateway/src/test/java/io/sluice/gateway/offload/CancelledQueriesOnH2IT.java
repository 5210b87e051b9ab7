package io.sluice.gateway.offload;

import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Cancelled queries on the embedded H2 of the demo. */
@ParameterizedClass
@EnumSource(value = PoolKind.class, names = "VIRTUAL")
class CancelledQueriesOnH2IT extends CancelledQueriesContract {
    private static final String URL = "jdbc:h2:mem:cancelled;MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE";

    private static Statements statements;

    @BeforeAll
    static void openDatabase() throws SQLException {
        statements = new Statements(URL, "sluice", "");
    }

    @AfterAll
    static void closeDatabase() throws SQLException {
        if (statements != null) {
            statements.close();
        }
    }

    @Override
    String ownConfig() {
        return """
                sluice.databases.main { url = "%s", user = sluice, init-script = "sample-h2.sql" }
                sluice.routes {
                  sleep {
                    path = "/sleep", handler = query
                    sql = "SELECT max(sleep(1)) AS slept FROM system_range(1, 600000)"
                  }
                  session {
                    path = "/session", handler = query
                    sql = "SELECT sleep(200) AS slept, SESSION_ID() AS session"
                  }
                  quick { path = "/quick", handler = query, sql = "SELECT 1 AS ok" }
                }
                """.formatted(URL);
    }

    @Override
    int running() {
        return statements.running("SELECT max(sleep(1))");
    }
}
