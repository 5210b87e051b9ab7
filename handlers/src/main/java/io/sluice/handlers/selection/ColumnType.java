package io.sluice.handlers.selection;

import io.sluice.config.type.ScalarType;
import io.sluice.handlers.rows.ColumnText;
import java.sql.Types;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The type of a column that clients compare with texts.
 *
 * @param jdbc the number in {@link Types}
 * @param name the database's own name of the type
 */
record ColumnType(int jdbc, String name) {
    /** Types that PostgreSQL's driver reports as those of other values. */
    private static final Set<String> OTHERS = Set.of("money", "bit");
    /** Types whose values are any texts, as PostgreSQL and, in capitals, H2 name them. */
    private static final Set<String> TEXTS = Set.of("text", "varchar", "bpchar", "name", "citext",
            "CHARACTER", "CHARACTER VARYING", "CHARACTER LARGE OBJECT", "VARCHAR_IGNORECASE");
    private static final Set<String> SPECIAL = Set.of("nan", "infinity", "-infinity");
    /** The types with such values, as PostgreSQL and, in capitals, H2 name them. */
    private static final Set<String> WITH_SPECIAL = Set.of("float4", "float8", "numeric", "date", "timestamp",
            "timestamptz", "REAL", "DOUBLE PRECISION", "DECFLOAT");
    /** Years with a sign, and 0. A + that a query string has unencoded arrives as a space. */
    private static final Pattern UNCOMMON_YEAR = Pattern.compile("[-+ ]|0000-");
    private static final int DATE_LENGTH = "2026-01-31".length();

    /** Returns what was expected instead of a text; null if the text may be a value of this type. */
    @Nullable String expectedInPlaceOf(String text) {
        ScalarType type = scalar();
        if (type == null || isSpecial(text)) {
            return null; // the database decides
        }
        try {
            switch (type) {
                case LONG -> type.parse(text.strip());
                case TIMESTAMP -> timestamp(text);
                case BYTEA -> bytes(text);
                default -> type.parse(text);
            }
            return null;
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }

    /** Returns whether any text is a value of this type. */
    boolean isText() {
        return TEXTS.contains(name);
    }

    private boolean isSpecial(String text) {
        return WITH_SPECIAL.contains(name) && SPECIAL.contains(text.toLowerCase(Locale.ROOT));
    }

    /** A date is its midnight, and there may be a space before the time. */
    private static Object timestamp(String text) {
        return text.length() == DATE_LENGTH ? ScalarType.DATE.parse(text)
                : ScalarType.TIMESTAMP.parse(text.length() > DATE_LENGTH && text.charAt(DATE_LENGTH) == ' '
                        ? text.substring(0, DATE_LENGTH) + 'T' + text.substring(DATE_LENGTH + 1) : text);
    }

    /** A + that a query string has unencoded arrives as a space. */
    private static byte[] bytes(String text) {
        return (byte[]) ScalarType.BYTEA.parse(text.replace(' ', '+'));
    }

    /**
     * Returns the value to bind for a text that is one of this type. A timestamp with an offset is that
     * moment: databases ignore the offset of a text, or refuse it, where the column has none. To
     * PostgreSQL, the sign of a year below 0 or beyond 9999 is that of an offset, and there is no year 0.
     */
    Object valueOf(String text, Dialect dialect) {
        if (isYear()) {
            return Long.valueOf(text.strip()); // the text 0 is the year 2000
        }
        if ((isFloatOfMariadb() || name.equals("float4")) && !isSpecial(text)) {
            return widened(text);
        }
        ScalarType type = scalar();
        if (type == ScalarType.BYTEA) {
            byte[] bytes = bytes(text);
            return dialect.postgres() ? ColumnText.of(bytes) : bytes;
        }
        boolean isTime = type == ScalarType.DATE || type == ScalarType.TIMESTAMP;
        if (type != null && isTime && !isSpecial(text) && UNCOMMON_YEAR.matcher(text).lookingAt()) {
            return type == ScalarType.TIMESTAMP ? timestamp(text) : type.parse(text);
        }
        boolean mayHaveOffset = type == ScalarType.TIMESTAMP && text.length() > DATE_LENGTH;
        return mayHaveOffset && timestamp(text) instanceof OffsetDateTime moment ? moment
                : comparable(text, dialect);
    }

    /**
     * Returns the double that is to be compared with values of single precision, as MariaDB does anyway. To
     * PostgreSQL, a text would be of single precision itself, and an error beyond its range.
     */
    private static Object widened(String text) {
        float value = Float.parseFloat(text);
        double exact = Double.parseDouble(text);
        boolean fits = !Float.isInfinite(value) && (value != 0 || exact == 0);
        return fits ? (Object) (double) value : Double.isInfinite(exact) ? text : (Object) exact;
    }

    /**
     * Returns the value to bind for a {@link ColumnText} of this type. Only PostgreSQL compares bytes with
     * it.
     */
    Object storedValueOf(String text, Dialect dialect) {
        return ColumnText.isBytes(jdbc, name) && !dialect.postgres() ? ColumnText.bytes(text)
                : comparable(text, dialect);
    }

    /**
     * Returns whether the text of a value is the value. MariaDB's FLOAT has a text of six digits, and its
     * BIT(8) one such as {@code b'101'}, which is a text to it.
     */
    boolean hasExactText() {
        return !isFloatOfMariadb() && !(jdbc == Types.BIT && name.equals("BIT"));
    }

    /** MariaDB's YEAR, which its driver reports as a date. */
    private boolean isYear() {
        return jdbc == Types.DATE && name.equals("YEAR");
    }

    private boolean isFloatOfMariadb() {
        return jdbc == Types.REAL && name.equals("FLOAT");
    }

    /** H2 compares booleans with no text, and MariaDB with their numbers. */
    private Object comparable(String text, Dialect dialect) {
        return scalar() == ScalarType.BOOLEAN && !dialect.postgres()
                ? (Object) (text.equals("1") || Boolean.parseBoolean(text)) : text;
    }

    /** Returns the type of the texts; null if only the database knows them. */
    private @Nullable ScalarType scalar() {
        if (OTHERS.contains(name)) {
            return null;
        }
        return switch (jdbc) {
            case Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT ->
                    name.equals("BIGINT UNSIGNED") ? ScalarType.DECIMAL
                            : ScalarType.LONG; // the database knows the smaller ranges
            case Types.REAL, Types.FLOAT, Types.DOUBLE, Types.NUMERIC, Types.DECIMAL -> ScalarType.DECIMAL;
            case Types.BOOLEAN, Types.BIT -> ScalarType.BOOLEAN;
            case Types.DATE -> isYear() ? ScalarType.LONG : ScalarType.DATE;
            case Types.TIMESTAMP, Types.TIMESTAMP_WITH_TIMEZONE -> ScalarType.TIMESTAMP;
            default -> "uuid".equalsIgnoreCase(name) ? ScalarType.UUID
                    : ColumnText.isBytes(jdbc, name) ? ScalarType.BYTEA : null;
        };
    }

    /** Returns a description of valid texts. */
    String expectation() {
        return "a value of the type " + name;
    }
}
