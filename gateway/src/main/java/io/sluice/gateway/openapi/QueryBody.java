package io.sluice.gateway.openapi;

import io.sluice.config.HandlerConfig;
import io.sluice.config.ParameterConfig;
import io.sluice.config.ParameterConfig.Source;
import io.sluice.config.write.WriteConfig;
import io.sluice.handlers.form.Form;
import io.sluice.handlers.json.JsonMembers;
import io.sluice.handlers.write.StepNames;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/** Describes the bodies of requests to a query: a JSON object, a form, or the rows of an import. */
final class QueryBody {
    static final String JSON = "application/json";
    static final String NDJSON = "application/x-ndjson";
    private static final String URL_ENCODED = "application/x-www-form-urlencoded";
    private static final String MULTIPART = "multipart/form-data";
    private static final Map<String, Object> SCALAR =
            Map.of("type", List.of("string", "number", "boolean", "null"));

    private final HandlerConfig.Query query;
    private final Schemas schemas;
    private final List<String> arrays;

    private QueryBody(HandlerConfig.Query query, Schemas schemas) {
        this.query = query;
        this.schemas = schemas;
        arrays = StepNames.of(query).arrays();
    }

    /** Adds the body to an operation, if the query has parameters from it. */
    static void addTo(Operation operation, HandlerConfig.Query query, Schemas schemas) {
        new QueryBody(query, schemas).addTo(operation);
    }

    /** Returns whether a parameter is from the body. */
    static boolean has(HandlerConfig.Query query, String name, ParameterConfig parameter) {
        return parameter.from().filter(Source.BODY::equals).isPresent()
                || StepNames.of(query).arrays().contains(owner(name));
    }

    private void addTo(Operation operation) {
        Map<String, ParameterConfig> own = parametersOf("");
        if (own.isEmpty() && arrays.isEmpty()) {
            return;
        }
        Map<String, Object> object = object(own);
        var content = new LinkedHashMap<String, Map<String, Object>>();
        if (query.bulk().isPresent()) {
            content.put(JSON, Schemas.of("type", "array", "items", object,
                    "maxItems", query.bulk().get().rows()));
            content.put(NDJSON, Map.of()); // JSON Schema describes one value, not a line for each
        } else {
            addArrays(object);
            content.put(JSON, object);
            if (arrays.isEmpty()) {
                content.put(URL_ENCODED, form(own, false));
                content.put(MULTIPART, form(own, true));
            }
        }
        operation.body(query.bulk().isPresent() || object.containsKey("required"), content);
    }

    /** Returns the parameters of the body, or of the elements of an array in it, by their own names. */
    private Map<String, ParameterConfig> parametersOf(String array) {
        var parameters = new LinkedHashMap<String, ParameterConfig>();
        query.parameters().forEach((name, parameter) -> {
            if (owner(name).equals(array) && has(query, name, parameter)) {
                parameters.put(name.substring(array.isEmpty() ? 0 : array.length() + 1), parameter);
            }
        });
        return parameters;
    }

    private static String owner(String name) {
        return name.substring(0, Math.max(0, name.indexOf('.')));
    }

    private Map<String, Object> object(Map<String, ParameterConfig> parameters) {
        var members = new LinkedHashMap<String, Object>();
        parameters.forEach((name, parameter) -> members.put(name, schemas.ofMember(parameter)));
        Map<String, Object> object = Schemas.of("type", "object", "properties", members);
        addRequired(object, parameters);
        object.put("maxProperties", JsonMembers.MAX_MEMBERS);
        object.put("additionalProperties", SCALAR);
        return object;
    }

    private static void addRequired(Map<String, Object> object, Map<String, ParameterConfig> parameters) {
        var required = new TreeSet<String>();
        parameters.forEach((name, parameter) -> {
            if (parameter.required() && parameter.defaultText().isEmpty()) {
                required.add(name);
            }
        });
        if (!required.isEmpty()) {
            object.put("required", required);
        }
    }

    /** Adds the arrays of objects for whose elements steps run. */
    private void addArrays(Map<String, Object> object) {
        WriteConfig write = query.write().orElse(null);
        if (write == null || arrays.isEmpty()) {
            return;
        }
        @SuppressWarnings("unchecked")
        var members = (Map<String, Object>) Objects.requireNonNull(object.get("properties"));
        var required = new TreeSet<String>(arrays);
        if (object.get("required") instanceof TreeSet<?> others) {
            others.forEach(name -> required.add((String) name));
        }
        for (String array : arrays) {
            Map<String, Object> schema = Schemas.of("type", "array", "items", object(parametersOf(array)),
                    "maxItems", write.maxElements());
            if (write.before().stream().anyMatch(step -> step.none().isPresent()
                    && step.each().filter(name -> name.text().equals(array)).isPresent())) {
                schema.put("minItems", 1);
            }
            members.put(array, schema);
        }
        object.put("required", required);
    }

    private Map<String, Object> form(Map<String, ParameterConfig> parameters, boolean files) {
        var fields = new LinkedHashMap<String, Object>();
        parameters.forEach((name, parameter) -> fields.put(name, schemas.ofField(parameter, files)));
        Map<String, Object> form = Schemas.of("type", "object", "properties", fields);
        addRequired(form, parameters);
        form.put("maxProperties", Form.MAX_FIELDS);
        return form;
    }
}
