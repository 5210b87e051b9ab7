package io.sluice.gateway.openapi;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.sluice.config.DatabaseConfig;
import io.sluice.config.GatewayConfig;
import io.sluice.config.HandlerConfig;
import io.sluice.config.RouteConfig;
import io.sluice.config.type.NamedSql;
import io.sluice.handlers.query.QueryHandler;
import io.sluice.handlers.rows.ColumnSchema;
import io.sluice.handlers.session.BoundSettings;
import io.sluice.handlers.session.LocalSettings;
import io.sluice.offload.ClientNetwork;
import io.sluice.offload.Deadline;
import io.sluice.offload.WorkScope;
import io.sluice.offload.jdbc.Database;
import io.sluice.offload.jdbc.PostgresDriver;
import io.sluice.offload.jdbc.StatementCanceller;
import io.sluice.offload.jdbc.StatementCheck;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the columns of the results of query routes from their databases: prepares the statements on a worker
 * of each database, without executing them.
 */
final class DescribedColumns {
    private static final Logger log = LoggerFactory.getLogger(DescribedColumns.class);
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final int VALIDATION_SECONDS = 1;
    /** The gateway itself, in limits for each client. */
    private static final ClientNetwork ITSELF = new ClientNetwork(0, false);

    private final GatewayConfig config;
    private final Map<String, Database> databases;

    /**
     * The results of the routes.
     *
     * @param columns by the names of routes; empty for a statement without a result; absent for one that the
     *     database rejects, or whose result it does not tell
     * @param unknown the names of routes whose database was not reachable, or too busy for 5 s
     */
    record Known(Map<String, List<ColumnSchema>> columns, List<String> unknown) {
    }

    DescribedColumns(GatewayConfig config, Map<String, Database> databases) {
        this.config = config;
        this.databases = databases;
    }

    /**
     * Reads the columns. Blocks.
     *
     * @param home any event loop
     */
    Known read(EventExecutor home) throws InterruptedException {
        var running = new HashMap<String, Future<Map<String, List<ColumnSchema>>>>();
        databases.forEach((name, database) -> {
            if (database.reachable()) {
                running.put(name, database.submitPrepared(ITSELF, Deadline.after(LIMIT), home,
                        _ -> (connection, scope) -> read(name,
                                LocalSettings.constants(database.session().local()), connection, scope)));
            }
        });
        var columns = new HashMap<String, List<ColumnSchema>>();
        var answered = new HashSet<String>();
        for (Map.Entry<String, Future<Map<String, List<ColumnSchema>>>> each : running.entrySet()) {
            if (each.getValue().await().isSuccess()) { // not after its deadline
                columns.putAll(each.getValue().getNow());
                answered.add(each.getKey());
            } else {
                log.info("the OpenAPI document has no results of database {}: {}", each.getKey(),
                        String.valueOf(each.getValue().cause()));
            }
        }
        return new Known(columns, config.routes().entrySet().stream()
                .filter(route -> route.getValue().handler() instanceof HandlerConfig.Query query
                        && !answered.contains(query.database()))
                .map(Map.Entry::getKey).toList());
    }

    private Map<String, List<ColumnSchema>> read(String database, BoundSettings settings,
                                                 Connection connection, WorkScope scope)
            throws SQLException {
        var columns = new HashMap<String, List<ColumnSchema>>();
        settings.apply(connection);
        EnumLabels labels = EnumLabels.read(connection, scope);
        for (Map.Entry<String, RouteConfig> route : config.routes().entrySet()) {
            if (route.getValue().handler() instanceof HandlerConfig.Query query
                    && query.database().equals(database)) {
                try {
                    begin(connection, settings);
                    var checked = QueryHandler.checked(query, route.getValue().path()).get("sql");
                    List<ColumnSchema> result =
                            columns(Objects.requireNonNull(checked), connection, scope);
                    if (!result.isEmpty() || tellsNone(database, query.sql())) {
                        columns.put(route.getKey(), labels.addTo(result));
                    }
                } catch (SQLException e) {
                    if (scope.isAbandoned() || connection.isClosed()) {
                        throw e;
                    }
                    log.debug("route {} has no result in the OpenAPI document", route.getKey(), e);
                    if (!connection.getAutoCommit()) {
                        connection.rollback();
                    }
                    if (!connection.isValid(VALIDATION_SECONDS)) {
                        throw e; // the database is going, or has gone
                    }
                }
            }
        }
        return columns;
    }

    /** MariaDB does not tell the columns of RETURNING and CALL in advance. */
    private boolean tellsNone(String database, NamedSql sql) {
        DatabaseConfig of = Objects.requireNonNull(config.databases().get(database));
        return of.isFor("postgresql") || of.isFor("h2") || sql.changesRows() && !sql.returnsRows();
    }

    /** Begins a transaction where one is needed, as after one that has been rolled back. */
    private static void begin(Connection connection, BoundSettings settings) throws SQLException {
        if (settings.isEmpty()) {
            PostgresDriver.beginDescribing(connection);
        } else {
            settings.apply(connection);
        }
    }

    private static List<ColumnSchema> columns(StatementCheck.Checked checked, Connection connection,
                                              WorkScope scope) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(checked.jdbc());
                var _ = new StatementCanceller(statement, scope)) {
            checked.binding().bind(statement);
            ResultSetMetaData types = statement.getMetaData();
            return types == null ? List.of() : ColumnSchema.of(types, checked.jdbc());
        }
    }
}
