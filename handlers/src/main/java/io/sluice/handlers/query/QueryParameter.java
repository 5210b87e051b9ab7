package io.sluice.handlers.query;

import io.sluice.config.ParameterConfig;
import io.sluice.config.ParameterConfig.Source;
import io.sluice.config.type.ScalarType;
import io.sluice.handlers.Mistake;
import io.sluice.handlers.json.MemberShape;
import org.jspecify.annotations.Nullable;

/**
 * A parameter of a query.
 *
 * @param index the number of its value
 * @param fallback the value of its default, or null
 * @param companion the number of the value of {@code :name_sent}; -1 if the statement has none
 */
record QueryParameter(String name, ParameterConfig config, Source source, int index,
                      @Nullable Object fallback, int companion) {

    /** Returns a mistake in this parameter. */
    Mistake mistake(String detail) {
        return source == Source.BODY ? Mistake.ofMember(name, detail) : mistakeInForm(detail);
    }

    /** Returns a mistake in this parameter of a request whose body is a form. */
    Mistake mistakeInForm(String detail) {
        return Mistake.ofParameter(source == Source.HEADER ? config.headerOf(name) : name, detail);
    }

    boolean isBytes() {
        return config.type().scalar() == ScalarType.BYTEA;
    }

    boolean isJson() {
        return config.type().scalar() == ScalarType.JSON;
    }

    boolean isTimestamp() {
        ScalarType scalar = config.type().scalar();
        return scalar == ScalarType.TIMESTAMP || scalar == ScalarType.TIMESTAMPTZ;
    }

    boolean isText() {
        return config.type().scalar() == ScalarType.TEXT;
    }

    MemberShape shape() {
        ScalarType scalar = config.type().scalar();
        boolean isWhole = scalar == ScalarType.INT || scalar == ScalarType.LONG;
        if (config.type().isArray()) {
            return isWhole ? MemberShape.INTEGERS : MemberShape.ARRAY;
        }
        return switch (scalar) {
            case JSON -> MemberShape.ANY;
            case INT, LONG -> MemberShape.INTEGER;
            case BYTEA -> MemberShape.STRING; // true and 1234 are base64, too
            default -> MemberShape.SCALAR;
        };
    }
}
