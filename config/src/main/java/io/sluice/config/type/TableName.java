package io.sluice.config.type;

/** A table of a database: {@code sales.orders}, or {@code orders} in the schema {@code public}. */
public record TableName(SqlName schema, SqlName name) {
    public static final String EXPECTED = "a table, such as orders or sales.orders";

    private static final SqlName PUBLIC = new SqlName("public");

    /**
     * Parses a name with or without a schema.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public static TableName parse(String text) {
        int dot = text.indexOf('.');
        try {
            return new TableName(dot < 0 ? PUBLIC : SqlName.parse(text.substring(0, dot)),
                    SqlName.parse(text.substring(dot + 1)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(EXPECTED, e);
        }
    }

    /** Returns the name in quotes, for SQL. */
    public String quoted() {
        return schema.quoted() + '.' + name.quoted();
    }

    @Override
    public String toString() {
        return schema.equals(PUBLIC) ? name.text() : schema + "." + name;
    }
}
