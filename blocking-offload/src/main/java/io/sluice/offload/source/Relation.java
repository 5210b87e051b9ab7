package io.sluice.offload.source;

import io.sluice.config.type.SqlName;
import io.sluice.config.type.TableName;
import java.util.List;

/**
 * A table as it was at the time of a change.
 *
 * @param table its name; not necessarily one that {@link TableName#parse} accepts
 */
record Relation(TableName table, List<Column> columns) {

    /**
     * A column.
     *
     * @param type the number of its type (OID), or of that below a domain
     * @param key whether it is in the replica identity: old values of these columns are known
     */
    record Column(String name, int type, boolean key) {
    }

    Relation(String schema, String name, List<Column> columns) {
        this(new TableName(new SqlName(schema), new SqlName(name)), columns);
    }

    /** Returns the index of a column; -1 if there is none. */
    int indexOf(String column) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equals(column)) {
                return i;
            }
        }
        return -1;
    }
}
