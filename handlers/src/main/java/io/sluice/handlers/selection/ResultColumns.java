package io.sluice.handlers.selection;

import io.netty.util.concurrent.Ticker;
import io.sluice.handlers.rows.Nullability;
import io.sluice.offload.WorkScope;
import io.sluice.offload.jdbc.NotNullColumns;
import io.sluice.offload.jdbc.PostgresDriver;
import io.sluice.offload.jdbc.StatementCanceller;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a statement's result as the database declares them. It is asked once a minute at most, since
 * tables may be altered. Thread-safe.
 */
final class ResultColumns {
    private static final long AGE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final String sql;
    private final Ticker clock;
    private volatile @Nullable Answer last;

    private record Answer(Declared declared, long until) {
    }

    ResultColumns(String sql, Ticker clock) {
        this.sql = sql;
        this.clock = clock;
    }

    /**
     * The declaration of the columns, by their names.
     *
     * @param notNull the columns that are never NULL
     */
    record Declared(Set<String> notNull, Map<String, ColumnType> types) {
    }

    /**
     * Asks for the declaration. Blocks for two round trips; on PostgreSQL, for a third one, and a fourth one
     * where statements get no names.
     *
     * @param scope cancels it: to describe a statement takes locks of its tables
     * @param parameters binds the statement's, since the database need not infer their types
     */
    Declared ask(Connection connection, WorkScope scope, Selection.Binder parameters) throws SQLException {
        Declared declared = declared(connection, scope, parameters);
        last = new Answer(declared, clock.nanoTime() + AGE_NANOS);
        return declared;
    }

    private Declared declared(Connection connection, WorkScope scope, Selection.Binder parameters)
            throws SQLException {
        var notNull = new HashSet<String>();
        var types = new HashMap<String, ColumnType>();
        PostgresDriver.beginDescribing(connection);
        try (PreparedStatement statement = connection.prepareStatement(sql);
                var _ = new StatementCanceller(statement, scope)) {
            parameters.bind(statement);
            ResultSetMetaData columns = statement.getMetaData();
            Set<Integer> inTables = columns == null ? Set.of() : NotNullColumns.of(columns, connection);
            for (int i = 1; columns != null && i <= columns.getColumnCount(); i++) {
                String name = columns.getColumnLabel(i);
                types.put(name, new ColumnType(columns.getColumnType(i), columns.getColumnTypeName(i)));
                if (inTables.contains(i) && Nullability.isNotNull(columns, i, sql)) {
                    notNull.add(name);
                }
            }
        }
        return new Declared(Set.copyOf(notNull), Map.copyOf(types));
    }

    /** Returns the declaration; null if the database has not been asked within the last minute. */
    @Nullable Declared known() {
        Answer known = last;
        return known == null || known.until - clock.nanoTime() <= 0 ? null : known.declared;
    }
}
