package io.sluice.handlers.selection;

import io.sluice.config.type.ScalarType;
import java.sql.Types;
import java.util.Locale;
import java.util.Set;
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
    private static final Set<String> SPECIAL =
            Set.of("nan", "infinity", "-infinity"); // of PostgreSQL's numbers and times

    /** Returns what was expected instead of a text; null if the text may be a value of this type. */
    @Nullable String expectedInPlaceOf(String text) {
        ScalarType type = scalar();
        if (type == null || SPECIAL.contains(text.toLowerCase(Locale.ROOT))) {
            return null; // the database decides
        }
        try {
            switch (type) {
                case LONG -> type.parse(text.strip());
                case TIMESTAMP -> requireTimestamp(text);
                default -> type.parse(text);
            }
            return null;
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }

    /** A date is its midnight, and there may be a space before the time. */
    private static void requireTimestamp(String text) {
        int date = "2026-01-31".length();
        if (text.length() == date) {
            ScalarType.DATE.parse(text);
        } else {
            ScalarType.TIMESTAMP.parse(text.length() > date && text.charAt(date) == ' '
                    ? text.substring(0, date) + 'T' + text.substring(date + 1) : text);
        }
    }

    /** Returns the type of the texts; null if only the database knows them. */
    private @Nullable ScalarType scalar() {
        if (OTHERS.contains(name)) {
            return null;
        }
        return switch (jdbc) {
            case Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT ->
                    ScalarType.LONG; // the database knows the smaller ranges
            case Types.REAL, Types.FLOAT, Types.DOUBLE, Types.NUMERIC, Types.DECIMAL -> ScalarType.DECIMAL;
            case Types.BOOLEAN, Types.BIT -> ScalarType.BOOLEAN;
            case Types.DATE -> ScalarType.DATE;
            case Types.TIMESTAMP, Types.TIMESTAMP_WITH_TIMEZONE -> ScalarType.TIMESTAMP;
            default -> "uuid".equalsIgnoreCase(name) ? ScalarType.UUID : null;
        };
    }

    /** Returns whether the values are true and false. */
    boolean isBoolean() {
        return scalar() == ScalarType.BOOLEAN;
    }

    /** Returns a description of valid texts. */
    String expectation() {
        return "a value of the type " + name;
    }
}
