package io.sluice.handlers.rows;

import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The nullability of the columns of a statement's result. Drivers tell that of the table's column alone, also
 * where an outer join, a grouping set or a MERGE gives NULL for it.
 */
public final class Nullability {
    private static final Pattern ANYWHERE =
            word("RIGHT\\b(?!\\s*\\()|FULL|ROLLUP|CUBE|GROUPING|OLD|NEW|MERGE");
    private static final Pattern LEFT = word("LEFT\\b(?!\\s*\\()");
    /** A table before a LEFT JOIN may be part of a common table expression after it. */
    private static final Pattern WITH = word("WITH");

    private Nullability() {
    }

    private static Pattern word(String word) {
        return Pattern.compile("\\b(?:" + word + ")\\b", Pattern.CASE_INSENSITIVE);
    }

    /**
     * Returns whether a column is certainly never NULL. After a LEFT JOIN that is a column of a table that
     * the statement names once, before the first LEFT.
     *
     * @param column counted from 1
     * @param sql the statement
     */
    public static boolean isNotNull(ResultSetMetaData types, int column, String sql) throws SQLException {
        if (types.isNullable(column) != ResultSetMetaData.columnNoNulls || ANYWHERE.matcher(sql).find()) {
            return false;
        }
        Matcher left = LEFT.matcher(sql);
        return !left.find() || !WITH.matcher(sql).find()
                && isNamedOnceBefore(left.start(), types.getTableName(column), sql);
    }

    private static boolean isNamedOnceBefore(int end, String table, String sql) {
        Matcher names = Pattern.compile("(?<!\\w)" + Pattern.quote(table) + "(?!\\w|\\s*\\.)",
                Pattern.CASE_INSENSITIVE).matcher(sql);
        return !table.isEmpty() && names.find() && names.start() < end && !names.find();
    }
}
