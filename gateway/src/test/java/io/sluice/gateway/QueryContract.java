package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Contract of query routes on any database. The tests are in one interface per subject. Each database has a
 * subclass with its connection and its own tests.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class QueryContract implements QueryParameterContract, QueryTypeContract, QueryBodyContract,
        QueryFormContract, QueryBulkContract,
        QueryRowContract, QueryResultContract, QuerySelectionContract, QueryChangeContract,
        QueryWriteContract, QueryKeyContract, QueryErrorContract, QueryStreamContract, QueryCancelContract {

    /** The SQL type that a parameter of each type is cast to, so that the value is returned unchanged. */
    private static final Map<String, String> SQL_TYPES = Map.ofEntries(
            Map.entry("int", "INTEGER"), Map.entry("long", "BIGINT"), Map.entry("double", "DOUBLE PRECISION"),
            Map.entry("decimal", "NUMERIC(20, 4)"), Map.entry("text", "VARCHAR"),
            Map.entry("boolean", "BOOLEAN"), Map.entry("date", "DATE"), Map.entry("time", "TIME(6)"),
            Map.entry("timestamp", "TIMESTAMP"), Map.entry("timestamptz", "TIMESTAMP WITH TIME ZONE"),
            Map.entry("uuid", "UUID"), Map.entry("bytea", "BYTEA"));

    private static final String TYPE_ROUTE = """
            sluice.routes.%1$s-%2$s {
              path = "/%1$s/%2$s%3$s", methods = [GET, POST], handler = query, single = true
              sql = "SELECT CAST(:v AS %4$s) AS v", parameters.v { type = %2$s, from = %1$s }
            }
            """;

    private static final Map<String, String> VALUES = Map.ofEntries(
            Map.entry("int", "2"), Map.entry("long", "2"), Map.entry("double", "2.5"),
            Map.entry("decimal", "2.5"), Map.entry("text", "it''s"), Map.entry("boolean", "true"),
            Map.entry("date", "2026-01-31"), Map.entry("time", "10:00:00"),
            Map.entry("timestamp", "2026-01-31 10:00:00"),
            Map.entry("timestamptz", "2026-01-31 10:00:00+02"),
            Map.entry("uuid", "123e4567-e89b-12d3-a456-426614174000"), Map.entry("bytea", "abc"));

    private static final String NARROWED_ROUTE = """
            sluice.routes.narrowed-%1$s {
              path = "/narrowed/%1$s", handler = query, database = one, single = true
              sql = "SELECT COUNT(*) AS found FROM (SELECT CAST('%2$s' AS %3$s) AS v) AS t \
                WHERE :v IS NULL OR v = :v"
              parameters.v { type = %1$s, required = false }
            }
            """;

    private RunningGateway gateway;

    /**
     * Returns HOCON with the url, user and password of two databases, and with routes of this database alone.
     */
    abstract String ownConfig() throws Exception;

    @BeforeAll
    void start() throws Exception {
        String typeRoutes = SQL_TYPES.entrySet().stream()
                .flatMap(type -> List.of("path", "query-string", "body").stream()
                        .map(from -> TYPE_ROUTE.formatted(from, type.getKey(),
                                from.equals("path") ? "/{v}" : "", type.getValue())))
                .collect(Collectors.joining());
        String narrowedRoutes = VALUES.entrySet().stream()
                .map(value -> NARROWED_ROUTE.formatted(value.getKey(), value.getValue(),
                        SQL_TYPES.get(value.getKey())))
                .collect(Collectors.joining());
        gateway = RunningGateway.start("include classpath(\"query-contract.conf\")\n"
                + "include classpath(\"query-results.conf\")\n"
                + "include classpath(\"query-bodies.conf\")\n"
                + "include classpath(\"query-selections.conf\")\n"
                + "include classpath(\"query-writes.conf\")\n"
                + "include classpath(\"query-keys.conf\")\n" + typeRoutes
                + narrowedRoutes + ownConfig());
    }

    @AfterAll
    void stop() {
        if (gateway != null) {
            gateway.close();
        }
    }

    @Override
    public final RunningGateway gateway() {
        return gateway;
    }

    @Test
    void theSampleSchemaCanBeMadeTwice() throws Exception {
        assertThat(gateway.get("/customers/500").body())
                .isEqualTo("{\"id\":500,\"email\":\"customer500@example.com\",\"country\":\"PL\"}");
        assertThat(gateway.get("/customers/501").statusCode()).isEqualTo(404);
    }
}
