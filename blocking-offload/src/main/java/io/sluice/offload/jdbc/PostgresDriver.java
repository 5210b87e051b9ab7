package io.sluice.offload.jdbc;

import io.sluice.config.DatabaseConfig;
import io.sluice.config.type.Secret;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGResultSetMetaData;
import org.postgresql.PGStatement;
import org.postgresql.core.Field;
import org.postgresql.core.Parser;
import org.postgresql.util.PGobject;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Features of PostgreSQL's driver beyond JDBC. Without the driver, no statement or column has them. */
public final class PostgresDriver {
    private static final boolean PRESENT = isPresent();
    /** The types of JDBC that stand for several of PostgreSQL's, or have objects of less precision. */
    private static final Set<Integer> CHANGED_BY_OBJECTS = Set.of(Types.VARCHAR, Types.CHAR, Types.BIT,
            Types.REAL, Types.DOUBLE, Types.DATE, Types.TIME, Types.TIME_WITH_TIMEZONE, Types.TIMESTAMP,
            Types.TIMESTAMP_WITH_TIMEZONE);

    /** The approximate bytes of a row, and of each column, besides the values. */
    private static final int OVERHEAD = 16;
    /** The class of SQLSTATEs of broken connections. */
    private static final String CONNECTION_EXCEPTION = "08";
    private static final String CARDINALITY_VIOLATION = "21000";
    private static final String INSUFFICIENT_PRIVILEGE = "42501";
    /** The SQLSTATEs of wrong statements that input functions of types have, too. */
    private static final Set<String> SYNTAX_OR_NAME = Set.of("42601", "42704", "0A000");
    /** The server's source files of input functions with those states. */
    private static final Set<String> INPUT_FUNCTIONS = Set.of("tsquery.c", "tsvector_parser.c", "jsonpath.c",
            "jsonpath_gram.y", "jsonpath_scan.l", "ltree_io.c", "ltxtquery_io.c", "hstore_io.c",
            "_int_bool.c", "regproc.c", "rangetypes.c", "timestamp.c", "date.c");
    /** The property for the number of executions after which a statement gets a name. */
    private static final String THRESHOLD = "prepareThreshold";

    private PostgresDriver() {
    }

    private static boolean isPresent() {
        try {
            Class.forName("org.postgresql.Driver", false, PostgresDriver.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /**
     * Returns whether {@code getBytes} returns a column's text as the database has sent it, without a
     * conversion. It is UTF-8, unless the database does not know its own encoding (SQL_ASCII).
     *
     * @param column counted from 1, of any type but bytea
     */
    public static boolean hasTextBytes(ResultSetMetaData types, int column) throws SQLException {
        return PRESENT && types instanceof PGResultSetMetaData formats
                && formats.getFormat(column) == Field.TEXT_FORMAT;
    }

    /** Returns the approximate bytes of the current row, which are not converted. Of this driver alone. */
    public static long size(ResultSet row) throws SQLException {
        int columns = row.getMetaData().getColumnCount();
        long size = OVERHEAD;
        for (int i = 1; i <= columns; i++) {
            byte[] value = row.getBytes(i);
            size += OVERHEAD + (value == null ? 0 : value.length);
        }
        return size;
    }

    /** Returns the name in its table of a column of a result; empty for an expression. */
    static String baseColumn(ResultSetMetaData types, int column) throws SQLException {
        return ((PGResultSetMetaData) types).getBaseColumnName(column);
    }

    /**
     * Returns whether rows have exceeded the driver's {@code maxResultBuffer}. Its exception has the SQLSTATE
     * of broken connections, so the message decides, but not that of the server, which may quote values of
     * clients.
     */
    static boolean exceedsResultBuffer(SQLException failure) {
        return PRESENT && failure instanceof PSQLException psql && psql.getServerErrorMessage() == null
                && String.valueOf(psql.getSQLState()).startsWith(CONNECTION_EXCEPTION)
                && String.valueOf(psql.getMessage()).contains("maxResultBuffer");
    }

    /**
     * Returns whether a statement would change one row twice, as ON CONFLICT DO UPDATE does for two rows with
     * the same key. A subquery with two rows has the same SQLSTATE.
     */
    public static boolean changesTwice(SQLException failure) {
        return PRESENT && CARDINALITY_VIOLATION.equals(failure.getSQLState())
                && message(failure).map(ServerErrorMessage::getRoutine)
                .filter(routine -> routine.equals("ExecOnConflictUpdate") || routine.startsWith("ExecMerge"))
                .isPresent();
    }

    /**
     * Returns whether the input function of a type has refused a text by a SQLSTATE of wrong statements, as
     * for {@code to_tsquery(:q)}. An error that the server finds as it parses a statement, as in a constant
     * that is cast, has a position in the statement, which may be dynamic SQL of a function. A constant that
     * a function of the statement refuses has none, and is taken for a text of the request.
     */
    public static boolean refusesText(SQLException failure) {
        return PRESENT && SYNTAX_OR_NAME.contains(String.valueOf(failure.getSQLState())) && message(failure)
                .filter(error -> error.getPosition() == 0 && error.getInternalPosition() == 0)
                .map(ServerErrorMessage::getFile).filter(INPUT_FUNCTIONS::contains).isPresent();
    }

    /** Returns whether a policy of row-level security has refused a row. A missing GRANT has its SQLSTATE. */
    public static boolean refusedByPolicy(SQLException failure) {
        return PRESENT && INSUFFICIENT_PRIVILEGE.equals(failure.getSQLState()) && message(failure)
                .map(ServerErrorMessage::getRoutine).filter("ExecWithCheckOptions"::equals).isPresent();
    }

    /** Returns the name of the constraint that an error is about. */
    public static Optional<String> violatedConstraint(SQLException failure) {
        return PRESENT ? message(failure).map(ServerErrorMessage::getConstraint) : Optional.empty();
    }

    /**
     * Returns the message of an error that PL/pgSQL's RAISE has thrown, with its hint in parentheses; empty
     * for errors of the server itself, whose messages may contain names and values of the database.
     */
    public static Optional<String> raised(SQLException failure) {
        return PRESENT ? message(failure).filter(error -> "exec_stmt_raise".equals(error.getRoutine()))
                .map(error -> error.getMessage()
                        + (error.getHint() == null ? "" : " (" + error.getHint() + ')')) : Optional.empty();
    }

    /**
     * A statement that the server has rejected.
     *
     * @param sql the statement as the driver has sent it, with {@code $1}
     * @param position of the error in it, in characters from 1; 0 if there is none
     */
    record Rejected(String message, String sql, int position) {
    }

    /**
     * Returns the server's message on a statement.
     *
     * @param jdbc the statement with {@code ?}
     */
    static Optional<Rejected> rejected(SQLException failure, String jdbc) {
        return PRESENT ? message(failure).map(error -> rejected(error, jdbc)) : Optional.empty();
    }

    private static Rejected rejected(ServerErrorMessage error, String jdbc) {
        String sql = jdbc;
        try {
            sql = Parser.parseJdbcSql(jdbc, true, true, false, false, false).getFirst().nativeSql;
        } catch (SQLException e) {
            // The place of the error is then approximate.
        }
        String hint = error.getHint() == null ? "" : " (" + error.getHint() + ')';
        return new Rejected(error.getMessage() + hint, sql, error.getPosition());
    }

    private static Optional<ServerErrorMessage> message(SQLException failure) {
        return failure instanceof PSQLException psql
                ? Optional.ofNullable(psql.getServerErrorMessage()) : Optional.empty();
    }

    /**
     * Returns the value of a column for a parameter of another statement. On PostgreSQL it keeps its type: by
     * the driver's objects, an enum would be sent as a varchar and money as a double.
     */
    public static @Nullable Object valueOf(ResultSet row, String column) throws SQLException {
        int index = row.findColumn(column);
        ResultSetMetaData types = row.getMetaData();
        if (!PRESENT || !(types instanceof PGResultSetMetaData)) {
            return TimeValue.of(row, index);
        }
        if (!CHANGED_BY_OBJECTS.contains(types.getColumnType(index))) {
            return row.getObject(index);
        }
        String text = row.getString(index);
        String type = types.getColumnTypeName(index);
        return text == null || type.equals("text") || type.equals("varchar") ? text : typed(type, text);
    }

    private static Object typed(String type, String text) throws SQLException {
        var typed = new PGobject();
        typed.setType(type);
        typed.setValue(text);
        return typed;
    }

    /** Binds a text whose type the database infers, so that it may be any type's. */
    public static void setUntyped(PreparedStatement statement, int index, String text) throws SQLException {
        statement.setObject(index, text, Types.OTHER);
    }

    /** Returns whether the statements of a database's connections get no names, for PgBouncer. */
    static boolean hasNoNames(DatabaseConfig config) {
        Secret threshold = config.properties().get(THRESHOLD);
        return threshold != null && threshold.text().equals("0")
                || config.url().text().contains(THRESHOLD + "=0");
    }

    /**
     * Begins a transaction in which statements are described, where they get no names: the driver gives one
     * to what it describes, and takes it back with the next statement, which has to reach the same server.
     * Costs a round trip there.
     */
    public static void beginDescribing(Connection connection) throws SQLException {
        if (runs(connection) && connection.unwrap(PGConnection.class).getPrepareThreshold() == 0) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute("SELECT 1");
            }
        }
    }

    /** Returns whether a connection, wrapped or not, is the driver's. */
    public static boolean runs(Connection connection) throws SQLException {
        return PRESENT && connection.isWrapperFor(PGConnection.class);
    }

    /** Returns whether a statement, wrapped or not, is the driver's. */
    public static boolean runs(Statement statement) throws SQLException {
        return PRESENT && statement.isWrapperFor(PGStatement.class);
    }
}
