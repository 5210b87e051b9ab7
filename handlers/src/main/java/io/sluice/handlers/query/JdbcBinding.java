package io.sluice.handlers.query;

import io.sluice.config.DatabaseConfig;
import io.sluice.config.type.ParameterType;
import io.sluice.config.type.ScalarType;
import io.sluice.offload.jdbc.PostgresDriver;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.SignStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Binds the values of a query's parameters to its statement.
 *
 * @param offset the offset of all sessions of PostgreSQL; null for other databases, if requests may have
 *     others, and in time zones whose offset changes
 */
record JdbcBinding(@Nullable ZoneId offset) {
    /** PostgreSQL's text of dates and timestamps: to it, the sign of a year is that of an offset. */
    private static final DateTimeFormatter POSTGRES = new DateTimeFormatterBuilder()
            .appendValue(ChronoField.YEAR_OF_ERA, 4, 6, SignStyle.NOT_NEGATIVE).appendPattern("-MM-dd")
            .optionalStart().appendPattern("'T'HH:mm:ss")
            .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true).optionalEnd()
            .optionalStart().appendOffsetId().optionalEnd()
            .appendText(ChronoField.ERA, Map.of(0L, " BC", 1L, "")).toFormatter(Locale.ROOT);

    static JdbcBinding of(DatabaseConfig database) {
        ZoneId zone = ZoneId.of(database.timeZone().id());
        boolean isFixed = zone.getRules().isFixedOffset() && database.isFor("postgresql")
                && database.session().local().keySet().stream().noneMatch("TimeZone"::equalsIgnoreCase);
        return new JdbcBinding(isFixed ? zone : null);
    }

    /** Binds a value, as {@link ScalarType#parse} returns it, a list of such values, or null. */
    void bind(PreparedStatement statement, int index, ParameterType type, @Nullable Object value)
            throws SQLException {
        boolean isOfContext = type.scalar() == ScalarType.ENUM || type.scalar() == ScalarType.JSON;
        switch (value) {
            case null -> bindNull(statement, index, type);
            case List<?> elements when isOfContext && PostgresDriver.runs(statement) ->
                    statement.setObject(index, literal(elements), Types.OTHER);
            case List<?> elements -> {
                Object[] sent = PostgresDriver.runs(statement)
                        ? elements.stream().map(JdbcBinding::element).toArray() : elements.toArray();
                Array array = statement.getConnection().createArrayOf(name(type.scalar()), sent);
                statement.setArray(index, array);
            }
            case String text when isOfContext && PostgresDriver.runs(statement) ->
                    statement.setObject(index, text, Types.OTHER);
            case OffsetDateTime moment when type.scalar() == ScalarType.TIMESTAMP ->
                    statement.setObject(index, timestamp(moment));
            default -> statement.setObject(index, value);
        }
    }

    /**
     * Returns a moment as a timestamp of the session, which PostgreSQL takes for a timestamptz, too. By the
     * type timestamptz it would find no function for timestamps, so an offset that a client sends could make
     * a statement fail. Where the offset changes, the rules of PostgreSQL may differ from those of Java.
     */
    private Object timestamp(OffsetDateTime moment) {
        return offset == null ? moment : moment.atZoneSameInstant(offset).toLocalDateTime();
    }

    /** Returns an element of an array for PostgreSQL's driver, which would send Java's text of it. */
    private static Object element(Object value) {
        return value instanceof TemporalAccessor time && time.isSupported(ChronoField.ERA)
                ? POSTGRES.format(time) : value;
    }

    /**
     * Returns texts as PostgreSQL's literal of an array. An array without a type becomes one of the enum that
     * it is compared with.
     */
    private static String literal(List<?> texts) {
        return texts.stream().map(text -> '"' + text.toString().replaceAll("[\\\\\"]", "\\\\$0") + '"')
                .collect(Collectors.joining(",", "{", "}"));
    }

    /** Returns PostgreSQL's name of a type; H2 knows the type by its values. */
    private static String name(ScalarType type) {
        return switch (type) {
            case INT -> "int4";
            case LONG -> "int8";
            case DOUBLE -> "float8";
            case DECIMAL -> "numeric";
            case TEXT, ENUM -> "text";
            case BOOLEAN -> "bool";
            case DATE -> "date";
            case TIME -> "time";
            case TIMESTAMP -> "timestamp";
            case TIMESTAMPTZ -> "timestamptz";
            case UUID -> "uuid";
            case BYTEA -> "bytea";
            case JSON -> "json";
        };
    }

    /**
     * In {@code :id IS NULL}, PostgreSQL knows only the type with which a NULL is sent. Its driver sends none
     * for times, unless it gets the name of the type; a timestamp casts implicitly to timestamptz.
     */
    private static void bindNull(PreparedStatement statement, int index, ParameterType type)
            throws SQLException {
        ScalarType scalar = type.scalar();
        if (scalar == ScalarType.ENUM || scalar == ScalarType.JSON) {
            statement.setNull(index, Types.OTHER);
        } else if (type.isArray()) {
            statement.setNull(index, Types.ARRAY, '_' + name(scalar));
        } else {
            switch (scalar) {
                case INT -> statement.setNull(index, Types.INTEGER);
                case LONG -> statement.setNull(index, Types.BIGINT);
                case DOUBLE -> statement.setNull(index, Types.DOUBLE);
                case DECIMAL -> statement.setNull(index, Types.NUMERIC);
                case BOOLEAN -> statement.setNull(index, Types.BOOLEAN);
                case DATE -> statement.setNull(index, Types.DATE);
                case TIME -> statement.setNull(index, Types.TIME, name(scalar));
                case TIMESTAMP -> statement.setNull(index, Types.TIMESTAMP, name(scalar));
                case TIMESTAMPTZ -> statement.setNull(index, Types.TIMESTAMP_WITH_TIMEZONE, name(scalar));
                case UUID -> statement.setNull(index, Types.OTHER, name(scalar));
                case BYTEA -> statement.setNull(index, Types.BINARY);
                default -> statement.setNull(index, Types.VARCHAR);
            }
        }
    }
}
