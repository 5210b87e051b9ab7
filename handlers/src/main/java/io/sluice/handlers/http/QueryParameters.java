package io.sluice.handlers.http;

import io.sluice.config.HandlerConfig;
import io.sluice.config.ParameterConfig;
import io.sluice.config.ParameterConfig.Source;
import io.sluice.config.PathTemplate;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;

/** Reads a query's parameters from a request, and binds them as JDBC parameters. */
final class QueryParameters {
    private static final int MAX_DIGITS = 1000;
    private static final int UUID_LENGTH = 36;
    /** Characters of a wrong value that its 400 repeats. */
    private static final int MAX_SHOWN = 100;
    private static final Pattern WHOLE_NUMBER = Pattern.compile("[+-]?\\d+");

    private final List<Parameter> parameters = new ArrayList<>();
    /** For each JDBC parameter, which of the above it is. */
    private final int[] positions;

    /** A parameter; the fallback is its default's value, or null. */
    private record Parameter(String name, ParameterConfig config, Source source, Object fallback) {
    }

    /** Throws IllegalArgumentException where a default is not of its parameter's type. */
    QueryParameters(HandlerConfig.Query query, PathTemplate path) {
        query.parameters().forEach((name, config) -> parameters.add(new Parameter(name, config,
                config.from().orElse(path.captures(name) ? Source.PATH : Source.QUERY_STRING),
                fallback(name, config))));
        List<String> names = parameters.stream().map(Parameter::name).toList();
        positions = query.sql().parameters().stream().mapToInt(names::indexOf).toArray();
    }

    private static Object fallback(String name, ParameterConfig config) {
        try {
            return config.defaultText().map(text -> convert(name, config.type(), text)).orElse(null);
        } catch (HttpException e) {
            throw new IllegalArgumentException("default of " + e.getMessage());
        }
    }

    boolean needBody() {
        return parameters.stream().anyMatch(parameter -> parameter.source() == Source.BODY);
    }

    /** The values, in the order of the parameters; 400 for the first that is wrong or missing. */
    Object[] read(Exchange exchange, Map<String, String> body) {
        Object[] values = new Object[parameters.size()];
        for (int i = 0; i < values.length; i++) {
            Parameter parameter = parameters.get(i);
            String text = switch (parameter.source()) {
                case PATH -> exchange.pathParameter(parameter.name());
                case QUERY_STRING -> exchange.queryParameter(parameter.name());
                case BODY -> body.get(parameter.name());
            };
            values[i] = text == null ? withoutText(parameter)
                    : convert(parameter.name(), parameter.config().type(), text);
        }
        return values;
    }

    private static Object withoutText(Parameter parameter) {
        if (parameter.fallback() == null && parameter.config().required()) {
            ParameterConfig.Type type = parameter.config().type();
            throw HttpException.badParameter(parameter.name(), null, expected(type, ""));
        }
        return parameter.fallback();
    }

    private static Object convert(String name, ParameterConfig.Type type, String text) {
        try {
            return switch (type) {
                case LONG -> Long.valueOf(text);
                case DECIMAL -> decimal(text);
                case TEXT -> text;
                case BOOLEAN -> bool(text);
                case DATE -> LocalDate.parse(text);
                case TIMESTAMP -> timestamp(text);
                case UUID -> uuid(text);
            };
        } catch (IllegalArgumentException | DateTimeException e) {
            throw HttpException.badParameter(name, shortened(text), expected(type, text));
        }
    }

    /**
     * Refuses texts whose digits would take long to read, as that happens on the event loop, and exponents
     * that would make a short text a number of millions of digits.
     */
    private static BigDecimal decimal(String text) {
        BigDecimal decimal = text.length() > MAX_DIGITS ? null : new BigDecimal(text);
        if (decimal == null || Math.abs((long) decimal.scale()) > MAX_DIGITS) {
            throw new NumberFormatException("more than " + MAX_DIGITS + " digits");
        }
        return decimal;
    }

    /** Java takes 1-1-1-1-1 for a UUID, too. */
    private static UUID uuid(String text) {
        if (text.length() != UUID_LENGTH) {
            throw new IllegalArgumentException(text);
        }
        return UUID.fromString(text);
    }

    private static Boolean bool(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(text);
        };
    }

    /** With an offset or without; a + in a query string arrives as a space. */
    private static Object timestamp(String text) {
        return DateTimeFormatter.ISO_DATE_TIME.parseBest(text.replace(' ', '+'),
                OffsetDateTime::from, LocalDateTime::from);
    }

    private static String shortened(String text) {
        return text.codePointCount(0, text.length()) <= MAX_SHOWN ? text
                : text.substring(0, text.offsetByCodePoints(0, MAX_SHOWN)) + '\u2026';
    }

    private static String expected(ParameterConfig.Type type, String text) {
        return switch (type) {
            case LONG -> WHOLE_NUMBER.matcher(text).matches() ? Long.MIN_VALUE + ".." + Long.MAX_VALUE
                    : "a whole number";
            case DECIMAL -> "a number, such as 12.50";
            case TEXT -> "a text";
            case BOOLEAN -> "true or false";
            case DATE -> "a date, such as 2026-01-31";
            case TIMESTAMP -> "a timestamp, such as 2026-01-31T10:00:00 or 2026-01-31T10:00:00Z";
            case UUID -> "a UUID, such as 123e4567-e89b-12d3-a456-426614174000";
        };
    }

    void bind(PreparedStatement statement, Object[] values) throws SQLException {
        for (int i = 0; i < positions.length; i++) {
            Object value = values[positions[i]];
            if (value == null) {
                statement.setNull(i + 1, sqlType(parameters.get(positions[i]).config().type()));
            } else {
                statement.setObject(i + 1, value);
            }
        }
    }

    private static int sqlType(ParameterConfig.Type type) {
        return switch (type) {
            case LONG -> Types.BIGINT;
            case DECIMAL -> Types.NUMERIC;
            case TEXT -> Types.VARCHAR;
            case BOOLEAN -> Types.BOOLEAN;
            case DATE -> Types.DATE;
            case TIMESTAMP -> Types.TIMESTAMP;
            case UUID -> Types.OTHER;
        };
    }
}
