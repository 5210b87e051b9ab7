package io.sluice.config.check;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigSyntax;
import io.sluice.config.ParameterConfig;
import io.sluice.config.ParameterConfig.Source;
import io.sluice.config.type.HeaderName;
import io.sluice.config.type.ParameterType;
import io.sluice.config.type.PathTemplate;
import io.sluice.config.type.ScalarType;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks a parameter of a query. */
final class ParameterChecks {
    private static final Set<Source> OF_ARRAYS = EnumSet.of(Source.QUERY_STRING, Source.BODY,
            Source.IF_MATCH, Source.IF_NONE_MATCH);

    private ParameterChecks() {
    }

    /** Returns the parameter that a {@code :name} is about: {@code :a_sent} is about {@code a}. */
    static String subject(String name, Map<String, ParameterConfig> parameters) {
        String stem = name.endsWith(ParameterConfig.SENT)
                ? name.substring(0, name.length() - ParameterConfig.SENT.length()) : name;
        return !parameters.containsKey(name) && parameters.containsKey(stem) ? stem : name;
    }

    /**
     * Checks a parameter.
     *
     * @param path the path of its route; null if it is invalid
     */
    static void check(String name, ParameterConfig parameter, @Nullable PathTemplate path, Setting at) {
        Optional<Source> from = parameter.from();
        if (path != null && !path.captures(name) && from.equals(Optional.of(Source.PATH))) {
            at.at("from").wrong("path", "a {" + name + "} in " + path);
        }
        if (name.contains(".") && from.isPresent()) {
            at.at("from").wrong("none for a member of an element");
        }
        checkHeader(name, parameter, at);
        if (parameter.type() != null) {
            checkSource(parameter.type(), source(name, parameter, path), at.at("type"));
            checkValues(parameter, at);
            checkDefault(parameter, at.at("default"));
        }
    }

    private static @Nullable Source source(String name, ParameterConfig parameter,
                                           @Nullable PathTemplate path) {
        return parameter.from().orElse(name.contains(".") ? Source.BODY : path == null ? null
                : path.captures(name) ? Source.PATH : Source.QUERY_STRING);
    }

    private static void checkHeader(String name, ParameterConfig parameter, Setting at) {
        boolean isHeader = parameter.from().equals(Optional.of(Source.HEADER));
        if (!isHeader && parameter.header().isPresent()) {
            at.at("header").wrong("none without from = header");
        }
        if (isHeader && parameter.header().isEmpty() && !HeaderName.isValid(parameter.headerOf(name))) {
            at.at("header").missing(HeaderName.EXPECTED);
        }
    }

    private static void checkSource(ParameterType type, @Nullable Source from, Setting at) {
        if (from == null) {
            return;
        }
        if (type.isArray() && !OF_ARRAYS.contains(from)) {
            at.wrong("an array from the query string or the body");
        }
        if (!type.isArray() && Source.PRECONDITIONS.contains(from)) {
            at.wrong("an array, such as long[], for the tags of "
                    + (from == Source.IF_MATCH ? "If-Match" : "If-None-Match"));
        }
        if (type.scalar() == ScalarType.JSON && from != Source.BODY) {
            at.wrong("json with from = body");
        }
        if (from == Source.CALLER && type.scalar() != ScalarType.TEXT) {
            at.wrong("text for the caller");
        }
    }

    private static void checkValues(ParameterConfig parameter, Setting at) {
        boolean isEnum = parameter.type().scalar() == ScalarType.ENUM;
        if (isEnum && parameter.values().isEmpty()) {
            at.at("values").missing("a list [ … ] of the texts of the enum");
        } else if (!isEnum && parameter.values().isPresent()) {
            at.at("values").wrong("none without type = enum");
        }
    }

    private static void checkDefault(ParameterConfig parameter, Setting at) {
        parameter.defaultText().ifPresent(text -> {
            if (parameter.type().isArray() || parameter.from().equals(Optional.of(Source.CALLER))) {
                at.wrong(text, "none for an array or the caller");
                return;
            }
            try {
                parameter.valueOf(text);
                if (parameter.type().scalar() == ScalarType.JSON) {
                    requireJson(text);
                }
            } catch (IllegalArgumentException e) {
                at.wrong(text, String.valueOf(e.getMessage()));
            }
        });
    }

    private static void requireJson(String text) {
        try {
            ConfigFactory.parseString("{\"v\":" + text + '}',
                    ConfigParseOptions.defaults().setSyntax(ConfigSyntax.JSON));
        } catch (ConfigException e) {
            throw new IllegalArgumentException(ScalarType.JSON.expectation(), e);
        }
    }
}
