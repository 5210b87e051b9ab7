package io.sluice.handlers.http;

import io.sluice.config.HandlerConfig;
import io.sluice.config.ParameterConfig;
import io.sluice.config.ParameterConfig.Source;
import io.sluice.config.type.ParameterType;
import io.sluice.config.type.PathTemplate;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads a query's parameters from a request, and binds them as JDBC parameters. */
final class QueryParameters {
    /** The number of characters of an invalid value that the 400 repeats. */
    private static final int MAX_SHOWN = 100;

    private final List<Parameter> parameters = new ArrayList<>();
    /** The index in {@link #parameters} of each JDBC parameter. */
    private final int[] positions;

    /** A parameter; the fallback is the value of its default, or null. */
    private record Parameter(String name, ParameterConfig config, Source source, @Nullable Object fallback) {
    }

    QueryParameters(HandlerConfig.Query query, PathTemplate path) {
        query.parameters().forEach((name, config) -> parameters.add(new Parameter(name, config,
                config.from().orElse(path.captures(name) ? Source.PATH : Source.QUERY_STRING),
                config.defaultText().map(config.type()::parse).orElse(null))));
        List<String> names = parameters.stream().map(Parameter::name).toList();
        positions = query.sql().parameters().stream().mapToInt(names::indexOf).toArray();
    }

    /** Returns the names of the parameters from the body. */
    Set<String> inBody() {
        return parameters.stream().filter(parameter -> parameter.source() == Source.BODY)
                .map(Parameter::name).collect(Collectors.toSet());
    }

    /**
     * Returns the values in the order of the parameters, with null for those from the body; 400 for the first
     * that is invalid or missing. On the event loop.
     */
    @Nullable Object[] readHead(Exchange exchange) {
        @Nullable Object[] values = new Object[parameters.size()];
        for (int i = 0; i < values.length; i++) {
            Parameter parameter = parameters.get(i);
            switch (parameter.source()) {
                case PATH -> values[i] = value(parameter, exchange.pathParameter(parameter.name()));
                case QUERY_STRING -> values[i] = value(parameter, exchange.queryParameter(parameter.name()));
                case BODY -> { }
            }
        }
        return values;
    }

    /** Adds the values from the body; 400 like {@link #readHead}. Any thread. */
    @Nullable Object[] addBody(@Nullable Object[] values, Map<String, String> members) {
        for (int i = 0; i < values.length; i++) {
            Parameter parameter = parameters.get(i);
            if (parameter.source() == Source.BODY) {
                values[i] = value(parameter, members.get(parameter.name()));
            }
        }
        return values;
    }

    private static @Nullable Object value(Parameter parameter, @Nullable String text) {
        return text == null ? withoutText(parameter)
                : convert(parameter.name(), parameter.config().type(), text);
    }

    private static @Nullable Object withoutText(Parameter parameter) {
        if (parameter.fallback() == null && parameter.config().required()) {
            throw HttpException.badParameter(parameter.name(), null,
                    parameter.config().type().expectation());
        }
        return parameter.fallback();
    }

    private static Object convert(String name, ParameterType type, String text) {
        try {
            return type.parse(text);
        } catch (IllegalArgumentException e) {
            throw HttpException.badParameter(name, shortened(text), String.valueOf(e.getMessage()));
        }
    }

    private static String shortened(String text) {
        return text.codePointCount(0, text.length()) <= MAX_SHOWN ? text
                : text.substring(0, text.offsetByCodePoints(0, MAX_SHOWN)) + '\u2026';
    }

    void bind(PreparedStatement statement, @Nullable Object[] values) throws SQLException {
        for (int i = 0; i < positions.length; i++) {
            Object value = values[positions[i]];
            if (value == null) {
                bindNull(statement, i + 1, parameters.get(positions[i]).config().type());
            } else {
                statement.setObject(i + 1, value);
            }
        }
    }

    /** In {@code :id IS NULL}, PostgreSQL knows only the type with which a NULL is sent. */
    private static void bindNull(PreparedStatement statement, int index, ParameterType type)
            throws SQLException {
        switch (type) {
            case LONG -> statement.setNull(index, Types.BIGINT);
            case DECIMAL -> statement.setNull(index, Types.NUMERIC);
            case TEXT -> statement.setNull(index, Types.VARCHAR);
            case BOOLEAN -> statement.setNull(index, Types.BOOLEAN);
            case DATE -> statement.setNull(index, Types.DATE);
            // Without a type name the driver sends no type; a timestamp casts implicitly to timestamptz.
            // timestamptz.
            case TIMESTAMP -> statement.setNull(index, Types.TIMESTAMP, "timestamp");
            case UUID -> statement.setNull(index, Types.OTHER, "uuid");
        }
    }
}
