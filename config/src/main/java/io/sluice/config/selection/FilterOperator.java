package io.sluice.config.selection;

/** The comparison of a column with a value of the client. */
public enum FilterOperator {
    /** Equal. */
    EQ("="),
    /** Not equal. */
    NE("<>"),
    /** Less. */
    LT("<"),
    /** Less or equal. */
    LE("<="),
    /** Greater. */
    GT(">"),
    /** Greater or equal. */
    GE(">="),
    /** Equal to a pattern of SQL's LIKE. */
    LIKE("LIKE"),
    /** Equal to one of several values. */
    IN("IN");

    private final String sql;

    FilterOperator(String sql) {
        this.sql = sql;
    }

    /** Returns the operator in SQL. */
    public String sql() {
        return sql;
    }
}
