package io.sluice.offload.jdbc;

import io.sluice.config.type.ParameterType;
import io.sluice.config.type.ScalarType;
import java.sql.ParameterMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * The type that a database infers for a parameter.
 *
 * @param jdbc one of {@link Types}
 * @param name in lower case
 */
record InferredType(int jdbc, String name) {
    private static final Set<ScalarType> NUMBERS = EnumSet.of(ScalarType.INT, ScalarType.LONG,
            ScalarType.DOUBLE, ScalarType.DECIMAL);
    private static final Set<ScalarType> DATES = EnumSet.of(ScalarType.DATE, ScalarType.TIMESTAMP,
            ScalarType.TIMESTAMPTZ);

    static InferredType of(ParameterMetaData parameters, int index) throws SQLException {
        return new InferredType(parameters.getParameterType(index),
                String.valueOf(parameters.getParameterTypeName(index)).toLowerCase(Locale.ROOT));
    }

    /**
     * Returns whether values of a declared type may be sent for this one; true where that is not known, as
     * for texts, which databases also infer for lack of context.
     */
    boolean fits(ParameterType declared) {
        ScalarType scalar = declared.scalar();
        if (declared.isArray()) {
            return jdbc == Types.ARRAY || jdbc == Types.VARCHAR || jdbc == Types.NULL || jdbc == Types.OTHER;
        }
        if (name.equals("uuid")) { // H2 reports it as BINARY, PostgreSQL as OTHER
            return scalar == ScalarType.UUID;
        }
        return switch (jdbc) {
            case Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT, Types.REAL, Types.FLOAT,
                    Types.DOUBLE, Types.DECIMAL, Types.NUMERIC -> NUMBERS.contains(scalar);
            case Types.BIT, Types.BOOLEAN -> scalar == ScalarType.BOOLEAN;
            case Types.DATE, Types.TIMESTAMP, Types.TIMESTAMP_WITH_TIMEZONE -> DATES.contains(scalar);
            case Types.TIME, Types.TIME_WITH_TIMEZONE ->
                    scalar == ScalarType.TIME || name.startsWith("timestamp") && DATES.contains(scalar);
            case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB -> scalar == ScalarType.BYTEA;
            case Types.ARRAY -> false;
            default -> !name.startsWith("json") || scalar == ScalarType.JSON;
        };
    }
}
