package io.sluice.handlers.selection;

import io.sluice.config.selection.FilterOperator;
import io.sluice.config.selection.PagingConfig.Count;
import io.sluice.config.selection.SortKey;
import io.sluice.config.type.NamedSql;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.Mistake;
import io.sluice.handlers.selection.ResultColumns.Declared;
import io.sluice.offload.WorkScope;
import io.sluice.offload.jdbc.PostgresDriver;
import io.sluice.offload.jdbc.StatementCanceller;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The selection that a request makes of a route's result, as SQL around the route's statement. The text of
 * the SQL has only names from the configuration; all values of the client are bound.
 */
public final class Selection {
    private static final Pattern PLAN_ROWS = Pattern.compile("\"Plan Rows\": ([0-9]+)");
    /** The SQLSTATEs of PostgreSQL and H2 for a text that is no value of a type, or out of its range. */
    private static final Set<String> REFUSED_TEXT =
            Set.of("22P02", "22003", "22007", "22008", "22018", "22030");

    private final NamedSql sql;
    private final List<Condition> conditions;
    private final List<SortKey> order;
    private final ResultColumns columns;
    private final List<Mistake> mistakes;
    private final @Nullable Page page;
    /** The columns, the same for all of the request; null until they are known. One thread at a time. */
    private @Nullable Declared declared;
    /** Indicates whether values have been compared with the types of their columns. */
    private boolean isChecked;

    Selection(NamedSql sql, List<Condition> conditions, List<SortKey> order, ResultColumns columns,
              List<Mistake> mistakes, @Nullable Page page) {
        this.sql = sql;
        this.conditions = conditions;
        this.order = order;
        this.columns = columns;
        declared = columns.known();
        this.mistakes = mistakes;
        this.page = page;
    }

    /** Binds the parameters of the route's statement, the first ones of this one's. */
    @FunctionalInterface
    public interface Binder {
        /** Binds them; returns the index of the next parameter. */
        int bind(PreparedStatement statement) throws SQLException;
    }

    /** Returns the mistakes in the request so far, to which others may be added before it is checked. */
    public List<Mistake> mistakes() {
        return mistakes;
    }

    /**
     * Requires that there are no mistakes, as far as that is known without the database: if it has to tell
     * the types of columns first, {@link #check} requires it. On the event loop.
     *
     * @throws HttpException 400 with all of them
     */
    public void checkWithoutDatabase() {
        if (declared != null) {
            requireTypes(declared);
        } else if (conditions.isEmpty()) {
            requireNoMistakes();
        }
    }

    /**
     * Requires that there are no mistakes, unless {@link #checkWithoutDatabase} has. Blocks if the database
     * has to be asked.
     *
     * @param route binds the parameters of the route's statement
     * @throws HttpException 400 with all of them
     */
    public void check(Connection connection, WorkScope scope, Binder route) throws SQLException {
        if (!isChecked && !conditions.isEmpty()) {
            requireTypes(declared(connection, scope, route));
        }
        requireNoMistakes();
    }

    private Declared declared(Connection connection, WorkScope scope, Binder route) throws SQLException {
        Declared known = declared;
        if (known == null) {
            known = columns.ask(connection, scope, route);
            declared = known;
        }
        return known;
    }

    private void requireTypes(Declared known) {
        isChecked = true;
        conditions.forEach(each -> each.addMistakes(known.types().get(each.column()), mistakes));
        requireNoMistakes();
    }

    /** Requires that there are no mistakes so far; 400 with all of them. */
    public void requireNoMistakes() {
        if (!mistakes.isEmpty()) {
            throw HttpException.badRequest(mistakes);
        }
    }

    /**
     * Returns a 400 for a failure of the statement that a value of the selection has caused: the database
     * refuses a text, and says which one. Null for other failures.
     */
    public @Nullable HttpException refusal(Throwable failure) {
        if (!(failure instanceof SQLException sql)
                || !REFUSED_TEXT.contains(String.valueOf(sql.getSQLState()))) {
            return null;
        }
        String message = String.valueOf(sql.getMessage());
        List<Mistake> refused = new ArrayList<>();
        for (Condition condition : conditions) {
            ColumnType type = type(condition);
            boolean takesAll = type != null && type.isText(); // a filter with the same text is refused
            condition.values().stream().filter(value -> !takesAll && message.contains('"' + value + '"'))
                    .distinct()
                    .map(value -> Mistake.unexpected(value,
                            type == null ? "a value of the column" : type.expectation()))
                    .forEach(detail -> refused.add(Mistake.ofParameter(condition.name(), detail)));
        }
        if (refused.isEmpty() && page != null && page.after() != null && page.after().stream()
                .anyMatch(value -> value != null && message.contains('"' + value + '"'))) {
            refused.add(Mistake.ofParameter(Page.CURSOR, "of other columns (expected: "
                    + Page.EXPECTED_CURSOR + ')'));
        }
        return refused.isEmpty() ? null : HttpException.badRequest(refused);
    }

    /** Returns whether the rows are a page. */
    public boolean isPage() {
        return page != null;
    }

    /** Returns the most rows of the page. */
    public int limit() {
        return Objects.requireNonNull(page).limit();
    }

    /** Returns the values that distinguish it from other selections of the route. */
    public List<Object> values() {
        var all = new ArrayList<Object>();
        conditions.forEach(one -> all.add(List.of(one.name(), one.operator().name(), one.values())));
        all.add(order.toString()); // of columns that the route allows, no text of the client
        all.add(page == null || page.after() == null ? "" : new ArrayList<>(page.after()));
        return all;
    }

    /**
     * Returns the statement for the rows, in the dialect of a connection. Blocks.
     *
     * @param route binds the parameters of the route's statement from the first one on
     */
    public String sql(Connection connection, WorkScope scope, Binder route) throws SQLException {
        if (page != null && page.after() != null) {
            declared(connection, scope, route);
        }
        return sql(connection);
    }

    /** Returns the statement for the rows, unless it lacks the columns for its cursor. */
    String sql(Connection connection) throws SQLException {
        Dialect dialect = Dialect.of(connection);
        String keys = order.stream()
                .map(key -> dialect.quoted(key.column()) + (key.descending() ? " DESC" : ""))
                .collect(Collectors.joining(", "));
        KeySet behind = behind(dialect);
        return "SELECT * " + from(dialect, behind == null ? List.of() : List.of(behind.sql()))
                + (keys.isEmpty() ? "" : "\nORDER BY " + keys) + (page == null ? "" : "\nLIMIT ?");
    }

    /** Returns the condition of a page after another one; null for other selections. */
    private @Nullable KeySet behind(Dialect dialect) {
        if (page == null || page.after() == null) {
            return null;
        }
        Declared known = Objects.requireNonNull(declared);
        var row = new ArrayList<@Nullable Object>();
        for (int i = 0; i < order.size(); i++) {
            String text = page.after().get(i);
            ColumnType type = known.types().get(order.get(i).column());
            row.add(text == null || type == null ? text : type.storedValueOf(text, dialect));
        }
        return new KeySet(order, known.notNull(), row, dialect);
    }

    /** Binds the parameters of {@link #sql}, which has been called. */
    public void bind(PreparedStatement statement, Binder route) throws SQLException {
        Dialect dialect = Dialect.of(statement.getConnection());
        KeySet behind = behind(dialect);
        int next = bind(statement, route, behind == null ? List.of() : behind.bound(), dialect);
        if (page != null) {
            statement.setInt(next, page.limit() + 1); // one more tells whether there is a next page
        }
    }

    /** The route's statement stands in lines of its own, since it may end with a comment. */
    private String from(Dialect dialect, List<String> more) {
        List<String> where = new ArrayList<>(conditions.stream().map(each -> each.sql(dialect)).toList());
        where.addAll(more);
        return "FROM (\n" + sql.subquery() + "\n) AS selected"
                + (where.isEmpty() ? "" : "\nWHERE " + String.join(" AND ", where));
    }

    /** Returns the index of the parameter after those that are bound. */
    private int bind(PreparedStatement statement, Binder route, List<Object> more, Dialect dialect)
            throws SQLException {
        int next = route.bind(statement);
        for (Condition condition : conditions) {
            ColumnType type = condition.operator() == FilterOperator.LIKE ? null : type(condition);
            for (String text : condition.bound()) {
                bind(statement, next++, type == null ? text : type.valueOf(text, dialect), dialect);
            }
        }
        for (Object value : more) {
            bind(statement, next++, value, dialect);
        }
        return next;
    }

    private @Nullable ColumnType type(Condition condition) {
        return declared == null ? null : declared.types().get(condition.column());
    }

    private static void bind(PreparedStatement statement, int index, Object value, Dialect dialect)
            throws SQLException {
        if (value instanceof String text && dialect.postgres()) {
            PostgresDriver.setUntyped(statement, index, text);
        } else {
            statement.setObject(index, value);
        }
    }

    /** Returns whether other statements precede that for the rows. */
    public boolean isSeveral() {
        boolean needsColumns = !conditions.isEmpty() || page != null && page.after() != null;
        return isCounted() || needsColumns && declared == null;
    }

    /** Returns whether the response tells the number of rows in all pages. */
    public boolean isCounted() {
        return page != null && page.count() != null;
    }

    /** Counts the rows of all pages. Blocks. */
    public long count(Connection connection, WorkScope scope, Binder route) throws SQLException {
        Dialect dialect = Dialect.of(connection);
        boolean exact = Objects.requireNonNull(page).count() == Count.EXACT;
        String text = (exact ? "SELECT COUNT(*) " : "EXPLAIN (FORMAT JSON) SELECT * ")
                + from(dialect, List.of());
        try (PreparedStatement statement = connection.prepareStatement(text);
                var _ = new StatementCanceller(statement, scope)) {
            bind(statement, route, List.of(), dialect);
            try (ResultSet result = statement.executeQuery()) {
                result.next();
                return exact ? result.getLong(1) : planned(result.getString(1));
            }
        }
    }

    private static long planned(String plan) throws SQLException {
        Matcher rows = PLAN_ROWS.matcher(plan);
        if (!rows.find()) {
            throw new SQLException("no Plan Rows in " + plan);
        }
        return Long.parseLong(rows.group(1));
    }

    /** Returns the values of the order's columns in the current row. */
    public List<@Nullable String> last(ResultSet row) throws SQLException {
        return Page.values(row, order);
    }

    /**
     * Returns the Link to the page after the row with these values.
     *
     * @throws SQLException if they are too long
     */
    public String next(List<@Nullable String> last) throws SQLException {
        return Objects.requireNonNull(page).next(last);
    }
}
