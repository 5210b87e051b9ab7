package io.sluice.handlers.query;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.config.HandlerConfig;
import io.sluice.config.ParameterConfig;
import io.sluice.config.ParameterConfig.Source;
import io.sluice.config.QueryStatements;
import io.sluice.config.type.PathTemplate;
import io.sluice.config.write.StepConfig;
import io.sluice.config.write.WriteConfig;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.Mistake;
import io.sluice.handlers.form.FormField;
import io.sluice.handlers.json.JsonMembers;
import io.sluice.handlers.json.MemberShape;
import io.sluice.handlers.json.MemberValue;
import io.sluice.handlers.selection.SelectionRules;
import io.sluice.handlers.write.CheckedStatements;
import io.sluice.handlers.write.FailedElement;
import io.sluice.handlers.write.Step;
import io.sluice.handlers.write.StepNames;
import io.sluice.handlers.write.VersionTags;
import io.sluice.offload.jdbc.StatementCheck;
import java.nio.ByteBuffer;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a query: reads them from a request, and binds them as JDBC parameters. Their values are
 * numbered: first those of the parameters, then those of the companions {@code :name_sent} in the statements,
 * the columns {@code :step.column} that steps hand on, and the arrays for whose elements steps run.
 */
final class QueryParameters {
    private final List<QueryParameter> parameters;
    private final List<ElementParameters> arrays = new ArrayList<>(0);
    private final List<Step> steps = new ArrayList<>(0);
    private final JdbcBinding binding;
    private final JsonMembers members;
    private final boolean needBody;
    /** Indicates whether the body is an array of rows, so that parameters have no place in it. */
    private final boolean needRows;
    private final String jdbc;
    /** The number of the value of each JDBC parameter. */
    private final int[] positions;
    private final int size;

    QueryParameters(HandlerConfig.Query query, PathTemplate path) {
        this(query, path, new JdbcBinding(null));
    }

    QueryParameters(HandlerConfig.Query query, PathTemplate path, JdbcBinding binding) {
        this.binding = binding;
        List<String> names = StepNames.values(query, "");
        parameters = parameters(query, "", names,
                name -> path.captures(name) ? Source.PATH : Source.QUERY_STRING);
        StepNames stepNames = StepNames.of(query);
        names.addAll(stepNames.columns());
        for (String array : stepNames.arrays()) {
            List<String> own = StepNames.values(query, array + '.');
            List<QueryParameter> ofElement = parameters(query, array + '.', own, _ -> Source.BODY);
            arrays.add(new ElementParameters(array, names.size(), ofElement, own));
            names.add(array + '.');
        }
        size = names.size();
        query.write().ifPresent(write -> write.before().forEach(step -> steps.add(step(query, step, names))));
        int most = query.write().map(WriteConfig::maxElements).orElse(0);
        members = new JsonMembers(shapes(parameters), arrays.stream().collect(
                Collectors.toMap(ElementParameters::name, each ->
                        new JsonMembers.Objects(new JsonMembers(shapes(each.members())), most))));
        needBody = !arrays.isEmpty()
                || parameters.stream().anyMatch(parameter -> parameter.source() == Source.BODY);
        needRows = query.bulk().isPresent();
        jdbc = QueryStatements.jdbc(query, query.sql());
        positions = query.sql().parameters().stream().mapToInt(names::indexOf).toArray();
    }

    private static List<QueryParameter> parameters(HandlerConfig.Query query, String prefix,
                                                   List<String> names, Function<String, Source> source) {
        var declared = query.parameters().entrySet().stream();
        return declared.filter(entry -> names.contains(entry.getKey())).map(entry -> {
            String name = entry.getKey();
            ParameterConfig config = entry.getValue();
            int companion = query.parameters().containsKey(name + ParameterConfig.SENT) ? -1
                    : names.indexOf(name + ParameterConfig.SENT);
            return new QueryParameter(name.substring(prefix.length()), config,
                    config.from().orElseGet(() -> source.apply(name)), names.indexOf(name),
                    config.defaultText().map(config::valueOf).orElse(null), companion);
        }).toList();
    }

    private static Map<String, MemberShape> shapes(List<QueryParameter> parameters) {
        return parameters.stream().filter(parameter -> parameter.source() == Source.BODY)
                .collect(Collectors.toMap(QueryParameter::name, QueryParameter::shape));
    }

    private Step step(HandlerConfig.Query query, StepConfig config, List<String> names) {
        ElementParameters each = config.each().flatMap(array -> arrays.stream()
                .filter(one -> one.name().equals(array.text())).findFirst()).orElse(null);
        List<String> used = config.sql().parameters();
        int[] own = used.stream().mapToInt(names::indexOf).toArray();
        int[] ofElement = used.stream().mapToInt(name -> each == null ? -1 : each.names().indexOf(name))
                .toArray();
        List<QueryParameter> elementParameters = each == null ? List.of() : each.members();
        return new Step(config, QueryStatements.jdbc(query, config.sql()), (statement, values, element) -> {
            for (int i = 0; i < own.length; i++) {
                if (ofElement[i] >= 0) {
                    bind(statement, i + 1, elementParameters, ofElement[i], element);
                } else {
                    bind(statement, i + 1, parameters, own[i], values);
                }
            }
        }, config.sql().change().isEmpty(), each == null ? -1 : each.index(),
                each == null ? 0 : each.names().size(),
                StepNames.columns(config, names), StepNames.preconditions(query, config.sql()));
    }

    /** Returns the preconditions that the statements evaluate, also from a parameter that has the header. */
    Set<Source> preconditions() {
        return Source.PRECONDITIONS.stream().filter(precondition -> parameters.stream().anyMatch(parameter ->
                parameter.source() == precondition || parameter.source() == Source.HEADER
                        && VersionTags.header(precondition)
                        .equalsIgnoreCase(parameter.config().headerOf(parameter.name()))))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the headers of a request that the values depend on. */
    Stream<String> headers() {
        return parameters.stream().map(parameter -> switch (parameter.source()) {
            case HEADER -> parameter.config().headerOf(parameter.name());
            case CALLER -> HttpHeaderNames.AUTHORIZATION.toString();
            case PATH, QUERY_STRING, BODY, IF_MATCH, IF_NONE_MATCH -> null;
        }).filter(Objects::nonNull);
    }

    /** Returns the statements that run before the query's. */
    List<Step> steps() {
        return steps;
    }

    /** Returns the statement with a {@code ?} for each parameter. */
    String jdbc() {
        return jdbc;
    }

    /** Returns whether a parameter is from the body. */
    boolean needBody() {
        return needBody;
    }

    /** Returns whether arrays of objects are from the body, which forms do not have. */
    boolean needObjects() {
        return !arrays.isEmpty();
    }

    /**
     * Returns a mistake in the parameter of this name; in a constraint if there is none, or one for each row.
     *
     * @param inForm whether the body of the request is a form
     */
    Mistake mistake(String name, String detail, boolean inForm) {
        return parameters.stream().filter(parameter -> parameter.name().equals(name)
                && !(needRows && parameter.source() == Source.BODY)).findFirst()
                .map(parameter -> inForm ? parameter.mistakeInForm(detail) : parameter.mistake(detail))
                .orElse(Mistake.ofConstraint(name, detail));
    }

    /**
     * Returns a mistake in the member of this name of an element, such as {@code lines.sku}; or in the
     * element, with the name of the constraint, if it has no such member.
     */
    Mistake mistake(String name, String detail, FailedElement element) {
        String prefix = element.array() + '.';
        boolean isMember = name.startsWith(prefix) && arrays.stream()
                .anyMatch(array -> array.name().equals(element.array()) && array.members().stream()
                        .anyMatch(member -> name.equals(prefix + member.name())));
        return isMember ? element.mistake(name.substring(prefix.length()), detail)
                : element.mistake(name + ": " + detail);
    }

    /** Reads the parameters that are not from the body. On the event loop. */
    QueryArguments readHead(Exchange exchange) {
        var arguments = new QueryArguments(size);
        for (QueryParameter parameter : parameters) {
            if (parameter.config().type().isArray() && parameter.source() == Source.QUERY_STRING) {
                readArray(parameter, exchange, arguments);
            } else if (Source.PRECONDITIONS.contains(parameter.source())) {
                arguments.precondition(parameter, exchange.headers());
            } else if (parameter.source() != Source.BODY) {
                arguments.texts(parameter, texts(parameter, exchange));
            }
        }
        return arguments;
    }

    /** Returns values by the names of their parameters; equal ones have equal values, bytes too. */
    Map<String, @Nullable Object> named(@Nullable Object[] values) {
        var named = new HashMap<String, @Nullable Object>();
        for (QueryParameter parameter : parameters) {
            Object value = values[parameter.index()];
            named.put(parameter.name(), value instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : value);
            if (parameter.companion() >= 0) {
                named.put(parameter.name() + ParameterConfig.SENT, values[parameter.companion()]);
            }
        }
        return named;
    }

    /** Returns the texts that a request has for a value. */
    private static List<String> texts(QueryParameter parameter, Exchange exchange) {
        return switch (parameter.source()) {
            case PATH -> oneOrNone(exchange.pathParameter(parameter.name()));
            case QUERY_STRING -> exchange.queryParameters(parameter.name());
            case HEADER -> exchange.headers().getAll(parameter.config().headerOf(parameter.name()));
            case CALLER -> oneOrNone(caller(parameter, exchange));
            case BODY, IF_MATCH, IF_NONE_MATCH -> throw new IllegalArgumentException(parameter.name());
        };
    }

    private static List<String> oneOrNone(@Nullable String text) {
        return text == null ? List.of() : List.of(text);
    }

    private static @Nullable String caller(QueryParameter parameter, Exchange exchange) {
        String caller = exchange.caller();
        if (caller == null && parameter.config().required()) {
            throw new HttpException(HttpResponseStatus.UNAUTHORIZED,
                    "no caller (expected: Authorization: Bearer <token>)");
        }
        return caller;
    }

    private static void readArray(QueryParameter parameter, Exchange exchange, QueryArguments arguments) {
        List<String> texts = exchange.queryParameters(parameter.name());
        if (texts.isEmpty()) {
            arguments.absent(parameter);
        } else {
            arguments.elements(parameter, texts);
        }
    }

    /** Reads the parameters from the body; 400 if it is no JSON object. Any thread. */
    QueryArguments addBody(QueryArguments arguments, ByteBuf body) {
        Map<String, MemberValue> values = members.read(body, arguments.mistakes());
        arguments.members(parameters, values);
        for (ElementParameters each : arrays) {
            each.read(values.get(each.name()), arguments);
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

    /** Returns the statements for a check against their database, by the keys below the route's. */
    Map<String, StatementCheck.Checked> checked(HandlerConfig.Query query) {
        return CheckedStatements.of(query, steps, jdbc, new @Nullable Object[size],
                statement -> bind(statement, 1, new @Nullable Object[size]), SelectionRules.checked(query));
    }

    /**
     * Binds values.
     *
     * @param first the index of the first parameter in the statement
     * @return the index after the last one
     */
    int bind(PreparedStatement statement, int first, @Nullable Object[] values) throws SQLException {
        for (int i = 0; i < positions.length; i++) {
            bind(statement, first + i, parameters, positions[i], values);
        }
        return first + positions.length;
    }

    private void bind(PreparedStatement statement, int index, List<QueryParameter> parameters,
                             int position, @Nullable Object[] values) throws SQLException {
        if (position >= parameters.size()) {
            statement.setObject(index, values[position]);
        } else {
            binding.bind(statement, index, parameters.get(position).config().type(), values[position]);
        }
    }
}
