package io.sluice.gateway.openapi;

import io.sluice.config.ParameterConfig;
import io.sluice.config.type.ParameterType;
import io.sluice.config.type.ScalarType;
import io.sluice.handlers.json.Json;
import io.sluice.handlers.json.JsonMembers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON Schemas (draft 2020-12) of values that requests carry to a database. */
final class Schemas {
    /** The limit of an array in a form or a query: it leaves some of the fields to other parameters. */
    private static final int MAX_ARRAY_FIELDS = 1000;
    private static final String CONTROLS = "\\u0000-\\u001f\\u007f-\\u009f";
    /** A text that PostgreSQL stores. */
    static final String NO_NUL = "^[^\\u0000]*$";
    /** A segment of a path that is served; . and .. are none, however they are encoded. */
    static final String SEGMENT = "^(?!\\.{1,2}$)[^" + CONTROLS + "]+$";
    /** A text that a header can have, in ISO 8859-1. */
    static final Map<String, Object> HEADER =
            of("type", "string", "pattern", "^[\\t -~\\u0080-\\u00ff]*$");
    private static final String BASE64 =
            "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$";
    private static final String TIME = "([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,9})?)?";
    /** A date of the Gregorian calendar from 1 to 9999. */
    private static final String DATE = "((?!0000)[0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])"
            + "|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))"
            + "|([0-9]{2}(0[48]|[2468][048]|[13579][26])|(0[48]|[2468][048]|[13579][26])00)-02-29)";
    /** RFC 3339 allows more than 18 hours, Java does not. */
    private static final String OFFSET = "(Z|[+-]((0[0-9]|1[0-7]):[0-5][0-9]|18:00))";
    private static final String OFFSET_ON_POSTGRES = "(Z|[+-](0[0-9]|1[0-5]):[0-5][0-9])";
    private static final String DECIMAL =
            "^[+-]?([0-9]{1,99}(\\.[0-9]{0,99})?|\\.[0-9]{1,99})([eE][+-]?[0-9]{1,2})?$";
    static final Map<String, Object> IDEMPOTENCY_KEY = of("type", "string",
            "pattern", "^(\"[ !#-\\[\\]-~]{1,255}\"|[!#-~][!-~]{0,254})$");

    private final boolean postgres;

    /**
     * Creates the schemas of a database.
     *
     * @param postgres whether it is PostgreSQL, whose types have fewer values
     */
    Schemas(boolean postgres) {
        this.postgres = postgres;
    }

    /** Returns a schema of these keywords and their values in turn. */
    static Map<String, Object> of(Object... keywords) {
        var schema = new LinkedHashMap<String, Object>();
        for (int i = 0; i < keywords.length; i += 2) {
            schema.put((String) keywords[i], keywords[i + 1]);
        }
        return schema;
    }

    /** Returns the schema of a parameter that is not from the body. */
    Map<String, Object> ofText(ParameterConfig parameter) {
        Map<String, Object> schema = parameter.values().map(values -> of("type", "string", "enum", values))
                .orElseGet(() -> ofText(parameter.type()));
        return parameter.type().isArray() ? ofFields(schema, parameter) : withDefault(schema, parameter);
    }

    /** Returns the schema of a parameter that is from a header. */
    Map<String, Object> ofHeader(ParameterConfig parameter) {
        Map<String, Object> schema = ofText(parameter);
        boolean isText = parameter.type().scalar() == ScalarType.TEXT && parameter.values().isEmpty();
        if (isText && schema.get("items") instanceof Map<?, ?>) {
            schema.put("items", HEADER);
        } else if (isText) {
            schema.putAll(HEADER);
        }
        return schema;
    }

    /** Returns the schema of an array that is a name for each element: there is none without an element. */
    private static Map<String, Object> ofFields(Map<String, Object> element, ParameterConfig parameter) {
        Map<String, Object> schema = of("type", "array", "items", element, "maxItems", MAX_ARRAY_FIELDS);
        if (parameter.required() && parameter.defaultText().isEmpty()) {
            schema.put("minItems", 1);
        }
        return schema;
    }

    /** Returns the schema of a value, or of an element: those of {@code timestamp[]} have no offset. */
    private Map<String, Object> ofText(ParameterType type) {
        return type.isArray() && type.scalar() == ScalarType.TIMESTAMP
                ? of("type", "string", "pattern", '^' + DATE + 'T' + TIME + '$')
                : ofText(type.scalar());
    }

    /** Returns the schema of a value that a request carries as text. */
    Map<String, Object> ofText(ScalarType type) {
        String offset = postgres ? OFFSET_ON_POSTGRES : OFFSET;
        return switch (type) {
            case INT -> of("type", "integer", "format", "int32",
                    "minimum", Integer.MIN_VALUE, "maximum", Integer.MAX_VALUE);
            case LONG -> of("type", "integer", "format", "int64",
                    "minimum", Long.MIN_VALUE, "maximum", Long.MAX_VALUE);
            case DOUBLE -> of("type", "number", "format", "double");
            case DECIMAL -> of("type", "number");
            case BOOLEAN -> of("type", "boolean");
            case TEXT, ENUM, JSON ->
                    postgres ? of("type", "string", "pattern", NO_NUL) : of("type", "string");
            case DATE -> of("type", "string", "format", "date");
            case TIME -> of("type", "string", "pattern", '^' + TIME + '$');
            case TIMESTAMP -> of("type", "string", "pattern", '^' + DATE + 'T' + TIME + offset + "?$");
            case TIMESTAMPTZ -> of("type", "string", "format", "date-time",
                    "pattern", '^' + DATE + 'T' + TIME + offset + '$');
            case UUID -> of("type", "string", "format", "uuid");
            case BYTEA -> of("type", "string", "contentEncoding", "base64", "pattern", BASE64);
        };
    }

    /** Returns the schema of a pattern for LIKE, which does not end within an escape. */
    Map<String, Object> ofPattern() {
        return of("type", "string", "pattern",
                postgres ? "^([^\\\\\\u0000]|\\\\[^\\u0000])*$" : "^([^\\\\]|\\\\[\\s\\S])*$");
    }

    /** Returns the schema of a member of the body. */
    Map<String, Object> ofMember(ParameterConfig parameter) {
        Map<String, Object> schema = parameter.values().map(values -> of("enum", values))
                .orElseGet(() -> ofMember(parameter, parameter.type().scalar()));
        if (parameter.type().isArray()) {
            schema = of("type", "array", "items", schema, "maxItems", JsonMembers.MAX_ELEMENTS);
        }
        schema = withDefault(parameter.required() ? schema : orNull(schema), parameter);
        if (parameter.type().scalar() == ScalarType.JSON && schema.get("default") instanceof String text
                && Json.isValue(text)) {
            schema.put("default", new Json.Raw(text));
        }
        return schema;
    }

    /**
     * Returns the schema of a field of a form. An input that is left empty is NULL, where that may be and
     * would be no value.
     *
     * @param files whether fields may be files
     */
    Map<String, Object> ofField(ParameterConfig parameter, boolean files) {
        ScalarType type = parameter.type().scalar();
        Map<String, Object> schema = switch (type) {
            case JSON -> of("type", "string", "contentMediaType", "application/json");
            case BYTEA -> files ? of("type", "string", "contentMediaType", "application/octet-stream")
                    : ofText(parameter.type());
            default -> parameter.values().map(values -> of("type", "string", "enum", values))
                    .orElseGet(() -> ofText(parameter.type()));
        };
        if (parameter.type().isArray()) {
            schema = ofFields(schema, parameter);
        }
        if (!parameter.required() && type != ScalarType.TEXT && type != ScalarType.BYTEA) {
            schema = of("anyOf", List.of(schema, of("type", "string", "maxLength", 0)));
        }
        return withDefault(schema, parameter);
    }

    /** Numbers and booleans stand for their texts, and texts for numbers and booleans. */
    private Map<String, Object> ofMember(ParameterConfig parameter, ScalarType type) {
        Map<String, Object> text = ofText(parameter.type());
        return switch (type) {
            case INT -> orText(text, "^[+-]?[0-9]{1,9}$");
            case LONG -> orText(text, "^[+-]?[0-9]{1,18}$");
            case DOUBLE, DECIMAL -> orText(text, DECIMAL);
            case BOOLEAN -> of("enum", List.of(true, false, "true", "false"));
            case TEXT -> {
                text.put("type", List.of("string", "number", "boolean"));
                yield text;
            }
            case JSON -> parameter.required() ? of("not", of("type", "null")) : of();
            case DATE, TIME, TIMESTAMP, TIMESTAMPTZ, UUID, BYTEA, ENUM -> text;
        };
    }

    private static Map<String, Object> orText(Map<String, Object> number, String pattern) {
        return of("anyOf", List.of(number, of("type", "string", "pattern", pattern)));
    }

    /** Returns the schema of the same values and null. */
    static Map<String, Object> orNull(Map<String, Object> schema) {
        var nullable = new LinkedHashMap<>(schema);
        if (schema.isEmpty()) {
            return nullable;
        }
        if (schema.containsKey("enum") || !schema.containsKey("type")) {
            var alternatives = new ArrayList<Object>(schema.size() == 1 && schema.get("anyOf")
                    instanceof List<?> any ? any : List.of(schema));
            alternatives.add(of("type", "null"));
            return of("anyOf", alternatives);
        }
        var types = new ArrayList<Object>(schema.get("type") instanceof List<?> several ? several
                : List.of(schema.get("type")));
        types.add("null");
        nullable.put("type", types);
        return nullable;
    }

    private static Map<String, Object> withDefault(Map<String, Object> schema, ParameterConfig parameter) {
        parameter.defaultText().ifPresent(text -> schema.put("default", switch (parameter.type().scalar()) {
            case INT, LONG, DOUBLE, DECIMAL, BOOLEAN -> parameter.valueOf(text);
            default -> text;
        }));
        return schema;
    }
}
