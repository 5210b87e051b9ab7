package io.sluice.handlers.session;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.sluice.config.session.SettingSource;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.Mistake;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The settings that each request has in its transaction, as by SET LOCAL, for row-level security. PostgreSQL
 * drops them at the end of the transaction, however it ends. Thread-safe.
 */
public final class LocalSettings {
    private final List<SettingSource> sources;
    /** Sets all of them; empty if there are none. */
    private final String sql;

    /**
     * Creates settings.
     *
     * @param sources the sources of their values, by names that are valid in SQL
     */
    public LocalSettings(Map<String, SettingSource> sources) {
        this.sources = List.copyOf(sources.values());
        sql = sql(sources.keySet());
    }

    private static String sql(Collection<String> names) {
        return names.isEmpty() ? "" : names.stream().map(name -> "set_config('" + name + "', ?, true)")
                .collect(Collectors.joining(", ", "SELECT ", ""));
    }

    /**
     * Returns the settings with constant values, such as a search path. They are known without a request, for
     * statements that are only prepared.
     *
     * @param sources the sources of all values, by names that are valid in SQL
     */
    public static BoundSettings constants(Map<String, SettingSource> sources) {
        var constants = new LinkedHashMap<>(sources);
        constants.values().removeIf(source -> source.kind() != SettingSource.Kind.TEXT);
        return new BoundSettings(sql(constants.keySet()),
                constants.values().stream().map(SettingSource::detail).toList());
    }

    /** Returns the headers of a request that the settings depend on. */
    public Stream<String> headers() {
        return sources.stream().map(source -> switch (source.kind()) {
            case CALLER -> HttpHeaderNames.AUTHORIZATION.toString();
            case HEADER -> source.detail();
            case TEXT -> null;
        }).filter(Objects::nonNull);
    }

    /**
     * Returns the settings of a request: an empty text for what it lacks. On the event loop.
     *
     * @param mistakes gets the headers that are there twice
     */
    public BoundSettings of(Exchange exchange, List<Mistake> mistakes) {
        return sources.isEmpty() ? BoundSettings.NONE : new BoundSettings(sql,
                sources.stream().map(source -> value(source, exchange, mistakes)).toList());
    }

    private static String value(SettingSource source, Exchange exchange, List<Mistake> mistakes) {
        return switch (source.kind()) {
            case CALLER -> Objects.requireNonNullElse(exchange.caller(), "");
            case HEADER -> header(source.detail(), exchange, mistakes);
            case TEXT -> source.detail();
        };
    }

    /** Takes no header twice: a proxy may have added its own to that of the client. */
    private static String header(String name, Exchange exchange, List<Mistake> mistakes) {
        List<String> values = exchange.headers().getAll(name);
        if (values.size() > 1) {
            mistakes.add(Mistake.ofParameter(name,
                    Mistake.unexpected("given " + values.size() + " times", "once")));
        }
        return values.size() == 1 ? values.getFirst() : "";
    }
}
