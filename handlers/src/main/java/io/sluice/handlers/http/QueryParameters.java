package io.sluice.handlers.http;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.config.HandlerConfig;
import io.sluice.config.ParameterConfig;
import io.sluice.config.ParameterConfig.Source;
import io.sluice.config.type.PathTemplate;
import io.sluice.config.type.ScalarType;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.Mistake;
import io.sluice.handlers.form.FormField;
import io.sluice.handlers.http.JsonMembers.Shape;
import io.sluice.handlers.http.JsonMembers.Value;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a query: reads them from a request, and binds them as JDBC parameters. Their values are
 * numbered: first those of the parameters, then those of the companions {@code :name_sent} in the statement.
 */
final class QueryParameters {
    private final List<Parameter> parameters = new ArrayList<>();
    private final JsonMembers members;
    private final boolean needBody;
    private final String jdbc;
    /** The number of the value of each JDBC parameter. */
    private final int[] positions;
    private final int size;

    /**
     * A parameter.
     *
     * @param index the number of its value
     * @param fallback the value of its default, or null
     * @param companion the number of the value of {@code :name_sent}; -1 if the statement has none
     */
    record Parameter(String name, ParameterConfig config, Source source, int index, @Nullable Object fallback,
                     int companion) {

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

        boolean isText() {
            return config.type().scalar() == ScalarType.TEXT;
        }

        private Shape shape() {
            return config.type().isArray() ? Shape.ARRAY
                    : isJson() ? Shape.ANY : Shape.SCALAR;
        }
    }

    QueryParameters(HandlerConfig.Query query, PathTemplate path) {
        List<String> used = query.sql().parameters();
        List<String> names = new ArrayList<>(query.parameters().keySet());
        query.parameters().keySet().stream().map(name -> name + ParameterConfig.SENT)
                .filter(name -> used.contains(name) && !query.parameters().containsKey(name))
                .forEach(names::add);
        query.parameters().forEach((name, config) -> parameters.add(new Parameter(name, config,
                config.from().orElse(path.captures(name) ? Source.PATH : Source.QUERY_STRING),
                names.indexOf(name), config.defaultText().map(config::valueOf).orElse(null),
                query.parameters().containsKey(name + ParameterConfig.SENT) ? -1
                        : names.indexOf(name + ParameterConfig.SENT))));
        members = new JsonMembers(parameters.stream().filter(parameter -> parameter.source() == Source.BODY)
                .collect(Collectors.toMap(Parameter::name, Parameter::shape)));
        needBody = parameters.stream().anyMatch(parameter -> parameter.source() == Source.BODY);
        jdbc = query.jdbc();
        positions = used.stream().mapToInt(names::indexOf).toArray();
        size = names.size();
    }

    /** Returns the statement with a {@code ?} for each parameter. */
    String jdbc() {
        return jdbc;
    }

    /** Returns whether a parameter is from the body. */
    boolean needBody() {
        return needBody;
    }

    /**
     * Returns a mistake in the parameter of this name, or in a constraint if there is no such parameter.
     *
     * @param inForm whether the body of the request is a form
     */
    Mistake mistake(String name, String detail, boolean inForm) {
        return parameters.stream().filter(parameter -> parameter.name().equals(name)).findFirst()
                .map(parameter -> inForm ? parameter.mistakeInForm(detail) : parameter.mistake(detail))
                .orElse(Mistake.ofConstraint(name, detail));
    }

    /** Reads the parameters that are not from the body. On the event loop. */
    QueryArguments readHead(Exchange exchange) {
        var arguments = new QueryArguments(size);
        for (Parameter parameter : parameters) {
            if (parameter.config().type().isArray() && parameter.source() == Source.QUERY_STRING) {
                readArray(parameter, exchange, arguments);
            } else if (parameter.source() != Source.BODY) {
                String text = text(parameter, exchange);
                if (text == null) {
                    arguments.absent(parameter);
                } else {
                    arguments.text(parameter, text);
                }
            }
        }
        return arguments;
    }

    private static @Nullable String text(Parameter parameter, Exchange exchange) {
        return switch (parameter.source()) {
            case PATH -> exchange.pathParameter(parameter.name());
            case QUERY_STRING -> exchange.queryParameter(parameter.name());
            case HEADER -> exchange.headers().get(parameter.config().headerOf(parameter.name()));
            case CALLER -> caller(parameter, exchange);
            case BODY -> throw new IllegalArgumentException(parameter.name());
        };
    }

    private static @Nullable String caller(Parameter parameter, Exchange exchange) {
        String caller = exchange.caller();
        if (caller == null && parameter.config().required()) {
            throw new HttpException(HttpResponseStatus.UNAUTHORIZED,
                    "no caller (expected: Authorization: Bearer <token>)")
                    .with(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer realm=\"sluice\"");
        }
        return caller;
    }

    private static void readArray(Parameter parameter, Exchange exchange, QueryArguments arguments) {
        List<String> texts = exchange.queryParameters(parameter.name());
        if (texts.isEmpty()) {
            arguments.absent(parameter);
        } else {
            arguments.elements(parameter, texts);
        }
    }

    /** Reads the parameters from the body; 400 if it is no JSON object. Any thread. */
    QueryArguments addBody(QueryArguments arguments, ByteBuf body) {
        Map<String, Value> values = members.read(body, arguments.mistakes());
        for (Parameter parameter : parameters) {
            if (parameter.source() != Source.BODY) {
                continue;
            }
            switch (values.get(parameter.name())) {
                case null -> arguments.absent(parameter);
                case Value.None.NULL -> arguments.explicitNull(parameter);
                case Value.None.MISTAKEN -> { }
                case Value.Text(String text) -> arguments.text(parameter, text);
                case Value.Elements(List<@Nullable String> texts) -> arguments.elements(parameter, texts);
            }
        }
        return arguments;
    }

    /** Reads the parameters from the fields of a form. Any thread. */
    QueryArguments addForm(QueryArguments arguments, List<FormField> fields) {
        arguments.readForm();
        Map<String, List<FormField>> byName = fields.stream().collect(Collectors.groupingBy(FormField::name));
        parameters.stream().filter(parameter -> parameter.source() == Source.BODY).forEach(parameter ->
                arguments.fields(parameter, byName.getOrDefault(parameter.name(), List.of())));
        return arguments;
    }

    /** Binds a null of its type to each parameter. */
    void bindNulls(PreparedStatement statement) throws SQLException {
        bind(statement, new @Nullable Object[size]);
    }

    void bind(PreparedStatement statement, @Nullable Object[] values) throws SQLException {
        for (int i = 0; i < positions.length; i++) {
            int position = positions[i];
            if (position >= parameters.size()) {
                statement.setObject(i + 1, values[position]);
            } else {
                JdbcBinding.bind(statement, i + 1, parameters.get(position).config().type(),
                        values[position]);
            }
        }
    }
}
