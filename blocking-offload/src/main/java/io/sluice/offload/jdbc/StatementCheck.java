package io.sluice.offload.jdbc;

import io.sluice.config.DatabaseConfig;
import io.sluice.config.type.ParameterType;
import java.sql.Connection;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Prepares statements against a database, without executing them, and reports what the database rejects. Has
 * one connection, whose statements time out. Methods block; not thread-safe.
 */
public final class StatementCheck implements AutoCloseable {
    private static final int STATEMENT_MILLIS = 5_000;
    private static final int READ_MILLIS = 2 * STATEMENT_MILLIS;
    /** Properties of PostgreSQL's driver by which no statement keeps a name after its transaction. */
    private static final Map<String, String> UNNAMED =
            Map.of("prepareThreshold", "0", "preparedStatementCacheQueries", "0");

    private final Connection connection;
    private final boolean isPostgres;
    /**
     * Indicates whether a statement without described columns has no result. MariaDB's driver describes those
     * of RETURNING and CALL only after their execution.
     */
    private final boolean describesAllResults;
    private final Settings settings;

    /** Settings of a transaction. */
    @FunctionalInterface
    public interface Settings {
        /** Sets them in the transaction that a connection has begun. */
        void apply(Connection connection) throws SQLException;
    }

    /**
     * A statement to check.
     *
     * @param jdbc the SQL with {@code ?}
     * @param parameters one for each {@code ?}
     * @param binding binds a null of its type to each parameter, as the statement is executed
     * @param result the result that it must have
     * @param selections the statements around it
     */
    public record Checked(String jdbc, List<Parameter> parameters, Binding binding, ExpectedResult result,
                          List<Selection> selections) {
    }

    /** A statement around another one, whose parameters are the first, for a key that names columns of it. */
    public record Selection(String key, Text text) {
    }

    /** A statement in the dialect of a database. */
    @FunctionalInterface
    public interface Text {
        /** Returns its SQL with {@code ?}. */
        String of(Connection connection) throws SQLException;
    }

    /** A parameter and its declared type; null for one that another statement returns. */
    public record Parameter(String name, @Nullable ParameterType type) {
    }

    /** Binds the parameters of a statement. */
    @FunctionalInterface
    public interface Binding {
        /** Binds all parameters. */
        void bind(PreparedStatement statement) throws SQLException;
    }

    /**
     * A mistake in a statement, or in a key that names columns of its result.
     *
     * @param key the key; null for that of the statement
     * @param line the line in the statement, from 1
     */
    public record Mistake(@Nullable String key, int line, String message) {
        Mistake(int line, String message) {
            this(null, line, message);
        }
    }

    private StatementCheck(Connection connection, DatabaseConfig config, Settings settings) {
        this.connection = connection;
        isPostgres = config.isFor("postgresql");
        describesAllResults = isPostgres || config.isFor("h2");
        this.settings = settings;
    }

    /**
     * Connects to a database.
     *
     * @param settings those with which statements are prepared
     * @throws SQLException if it cannot be reached
     */
    public static StatementCheck connect(DatabaseConfig config, Settings settings) throws SQLException {
        var session = new HashMap<>(SessionParameters.of(config, "sluice-check"));
        session.putAll(UNNAMED);
        Connection connection = new DatabaseLogin(config, "sluice-check").open(session);
        var check = new StatementCheck(connection, config, settings);
        try {
            if (check.isPostgres) {
                connection.setAutoCommit(false);
                connection.setNetworkTimeout(Runnable::run, READ_MILLIS);
            }
            return check;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** Runs a script. */
    public void run(String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /**
     * Returns the mistakes of a statement.
     *
     * @throws SQLException if the connection is lost
     */
    public List<Mistake> mistakes(Checked checked) throws SQLException {
        try {
            begin();
            return mistakesOf(checked);
        } catch (SQLException e) { // of the settings
            requireConnected(e);
            return List.of(new Mistake(1, "session.local: " + e.getMessage()));
        } finally {
            end();
        }
    }

    /**
     * Begins a transaction, whose end undoes the timeout: the connection may be one to PgBouncer, and the
     * next transaction of its session another client's.
     */
    private void begin() throws SQLException {
        end();
        if (isPostgres) {
            run("SET LOCAL statement_timeout = " + STATEMENT_MILLIS);
            settings.apply(connection);
        }
    }

    private void end() throws SQLException {
        if (isPostgres && !connection.isClosed()) {
            connection.rollback();
        }
    }

    private List<Mistake> mistakesOf(Checked checked) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(checked.jdbc())) {
            var mistakes = new ArrayList<Mistake>();
            if (!isPostgres) { // which rejects types that do not fit; H2 infers none that is bound
                mistakes.addAll(mistypedParameters(checked, statement.getParameterMetaData()));
            }
            checked.binding().bind(statement);
            mistakes.addAll(checked.result().mistakes(statement.getMetaData(), describesAllResults));
            if (mistakes.isEmpty()) {
                addSelections(checked, mistakes);
            }
            return mistakes;
        } catch (SQLFeatureNotSupportedException e) {
            return List.of();
        } catch (SQLException e) {
            requireConnected(e);
            return rejected(checked, e);
        }
    }

    private void requireConnected(SQLException error) throws SQLException {
        if (connection.isClosed() || String.valueOf(error.getSQLState()).startsWith("08")) {
            throw error;
        }
    }

    private void addSelections(Checked checked, List<Mistake> mistakes) throws SQLException {
        for (Selection selection : checked.selections()) {
            String sql = selection.text().of(connection);
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                checked.binding().bind(statement);
                statement.getMetaData();
            } catch (SQLException e) {
                requireConnected(e);
                begin();
                mistakes.add(new Mistake(selection.key(), 1, RejectedStatement.mistake(e, sql).message()));
            }
        }
    }

    /** Returns nothing where the driver does not know the types, as MariaDB's of a wrong statement. */
    private static List<Mistake> mistypedParameters(Checked checked, ParameterMetaData inferred)
            throws SQLException {
        var mistakes = new LinkedHashSet<Mistake>();
        try {
            for (int i = 0; i < checked.parameters().size() && i < inferred.getParameterCount(); i++) {
                Parameter parameter = checked.parameters().get(i);
                ParameterType type = parameter.type();
                if (type != null && !InferredType.of(inferred, i + 1).fits(type)) {
                    mistakes.add(new Mistake(1, ":%s: %s (expected: a type for %s, which the database infers)"
                            .formatted(parameter.name(), type, inferred.getParameterTypeName(i + 1))));
                }
            }
        } catch (SQLFeatureNotSupportedException e) {
            return List.of();
        }
        return List.copyOf(mistakes);
    }

    /** Returns the error; if only the types of parameters are wrong, returns which are. */
    private List<Mistake> rejected(Checked checked, SQLException error) throws SQLException {
        if (isPostgres && !checked.parameters().isEmpty()) {
            begin();
            try (PreparedStatement untyped = connection.prepareStatement(checked.jdbc())) {
                List<Mistake> mistyped = mistypedParameters(checked, untyped.getParameterMetaData());
                if (!mistyped.isEmpty()) {
                    return mistyped;
                }
            } catch (SQLException e) {
                // The statement is wrong with any types.
            }
        }
        return List.of(RejectedStatement.mistake(error, checked.jdbc()));
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
