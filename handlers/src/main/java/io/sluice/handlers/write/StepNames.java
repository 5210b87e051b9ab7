package io.sluice.handlers.write;

import io.sluice.config.HandlerConfig;
import io.sluice.config.ParameterConfig;
import io.sluice.config.ParameterConfig.Source;
import io.sluice.config.QueryStatements;
import io.sluice.config.type.NamedSql;
import io.sluice.config.type.SqlName;
import io.sluice.config.write.StepConfig;
import io.sluice.config.write.WriteConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The names with a dot in the statements of a query.
 *
 * @param columns {@code step.column} for each column that a statement uses from an earlier step
 * @param arrays the arrays in the body for whose elements steps run
 */
public record StepNames(List<String> columns, List<String> arrays) {

    /** Returns the names in the statements of a query. */
    public static StepNames of(HandlerConfig.Query query) {
        Set<StepConfig> steps = query.write().map(WriteConfig::before).orElse(Set.of());
        Set<String> names = steps.stream().flatMap(step -> step.name().stream()).map(SqlName::text)
                .collect(Collectors.toSet());
        return new StepNames(
                QueryStatements.of(query).stream().flatMap(sql -> sql.parameters().stream()).distinct()
                        .filter(name -> name.contains(".") && names.contains(owner(name))).toList(),
                steps.stream().flatMap(step -> step.each().stream()).map(SqlName::text).distinct().toList());
    }

    /** Returns the names of parameters with a prefix and no other dot, and of their companions. */
    public static List<String> values(HandlerConfig.Query query, String prefix) {
        List<String> names = query.parameters().keySet().stream()
                .filter(name -> name.substring(0, name.indexOf('.') + 1).equals(prefix))
                .collect(Collectors.toCollection(ArrayList::new));
        Set<String> used = QueryStatements.of(query).stream().flatMap(sql -> sql.parameters().stream())
                .collect(Collectors.toSet());
        List.copyOf(names).stream().map(name -> name + ParameterConfig.SENT)
                .filter(name -> used.contains(name) && !query.parameters().containsKey(name))
                .forEach(names::add);
        return names;
    }

    /**
     * Returns the columns that a step hands on, with the numbers of their values.
     *
     * @param values the names of all values of a request, in order
     */
    public static Map<String, Integer> columns(StepConfig step, List<String> values) {
        var columns = new LinkedHashMap<String, Integer>();
        String owner = step.name().map(SqlName::text).orElse("");
        for (int i = 0; i < values.size(); i++) {
            String name = values.get(i);
            if (!owner.isEmpty() && name.contains(".") && owner(name).equals(owner)) {
                columns.put(name.substring(owner.length() + 1), i);
            }
        }
        return columns;
    }

    /** Returns the preconditions that a statement has parameters from. */
    public static Set<Source> preconditions(HandlerConfig.Query query, NamedSql sql) {
        return sql.parameters().stream().map(query.parameters()::get).filter(Objects::nonNull)
                .flatMap(parameter -> parameter.from().stream()).filter(Source.PRECONDITIONS::contains)
                .collect(Collectors.toSet());
    }

    private static String owner(String name) {
        return name.substring(0, name.indexOf('.'));
    }
}
