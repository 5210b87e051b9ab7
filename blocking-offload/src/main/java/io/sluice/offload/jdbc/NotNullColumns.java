package io.sluice.offload.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;

/**
 * Finds the columns of a result that are NOT NULL in their tables now. PostgreSQL's driver keeps what it has
 * read of tables for the life of a connection; it needs that for the types of each result.
 */
public final class NotNullColumns {
    private static final String NOW = """
            SELECT v.i FROM unnest(?, ?, ?) WITH ORDINALITY AS v (s, t, c, i)
            JOIN pg_catalog.pg_namespace n ON n.nspname = v.s::name
            JOIN pg_catalog.pg_class r ON r.relnamespace = n.oid AND r.relname = v.t::name
            JOIN pg_catalog.pg_attribute a ON a.attrelid = r.oid AND a.attname = v.c::name
            JOIN pg_catalog.pg_type d ON d.oid = a.atttypid
            WHERE a.attnotnull OR d.typnotnull""";

    private NotNullColumns() {
    }

    /**
     * Returns the numbers of the columns, from 1. Asks PostgreSQL's catalogue, by the names of tables and
     * columns: one that has been renamed counts as nullable. Blocks.
     */
    public static Set<Integer> of(ResultSetMetaData types, Connection connection) throws SQLException {
        var declared = new HashSet<Integer>();
        for (int i = 1; i <= types.getColumnCount(); i++) {
            if (types.isNullable(i) == ResultSetMetaData.columnNoNulls) {
                declared.add(i);
            }
        }
        if (!declared.isEmpty() && PostgresDriver.runs(connection)) {
            declared.retainAll(now(types, connection));
        }
        return declared;
    }

    private static Set<Integer> now(ResultSetMetaData types, Connection connection) throws SQLException {
        int count = types.getColumnCount();
        String[] schemas = new String[count];
        String[] tables = new String[count];
        String[] columns = new String[count];
        for (int i = 0; i < count; i++) {
            schemas[i] = types.getSchemaName(i + 1);
            tables[i] = types.getTableName(i + 1);
            columns[i] = PostgresDriver.baseColumn(types, i + 1);
        }
        var now = new HashSet<Integer>();
        try (PreparedStatement statement = connection.prepareStatement(NOW)) {
            statement.setArray(1, connection.createArrayOf("text", schemas));
            statement.setArray(2, connection.createArrayOf("text", tables));
            statement.setArray(3, connection.createArrayOf("text", columns));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    now.add(rows.getInt(1));
                }
            }
        }
        return now;
    }
}
