package io.sluice.gateway.openapi;

import io.sluice.handlers.rows.ColumnSchema;
import io.sluice.offload.WorkScope;
import io.sluice.offload.jdbc.StatementCanceller;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The labels of PostgreSQL's enumerated types, whose values JDBC reports as texts.
 *
 * @param byType by the names of types, in lower case
 */
record EnumLabels(Map<String, List<String>> byType) {
    private static final String POSTGRES = "PostgreSQL";
    /**
     * Types that are not in the search path have another name in JDBC. A name that two types have there, be
     * it in capitals, is not clear.
     */
    private static final String SQL = """
            WITH known AS (
              SELECT t.oid, lower(t.typname) AS name
              FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
              WHERE n.nspname = ANY (current_schemas(true)))
            SELECT k.name, e.enumlabel FROM pg_enum e JOIN known k ON k.oid = e.enumtypid
            WHERE NOT EXISTS (SELECT FROM known other WHERE other.name = k.name AND other.oid <> k.oid)
            ORDER BY k.oid, e.enumsortorder""";

    /** Reads the labels of a database; none of another database than PostgreSQL. Blocks. */
    static EnumLabels read(Connection connection, WorkScope scope) throws SQLException {
        var labels = new HashMap<String, List<String>>();
        if (connection.getMetaData().getDatabaseProductName().equals(POSTGRES)) {
            try (PreparedStatement statement = connection.prepareStatement(SQL);
                    var _ = new StatementCanceller(statement, scope);
                    ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    labels.computeIfAbsent(rows.getString(1), _ -> new ArrayList<>()).add(rows.getString(2));
                }
            }
        }
        return new EnumLabels(labels);
    }

    /** Returns columns whose schemas have these labels. */
    List<ColumnSchema> addTo(List<ColumnSchema> columns) {
        return columns.stream().map(column -> !byType.containsKey(column.type()) ? column
                : new ColumnSchema(column.name(), column.type(),
                        Schemas.of("type", "string", "enum", byType.get(column.type())),
                        column.nullable())).toList();
    }
}
