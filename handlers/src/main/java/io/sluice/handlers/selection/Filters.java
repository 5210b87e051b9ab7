package io.sluice.handlers.selection;

import io.sluice.config.selection.FilterOperator;
import io.sluice.handlers.Mistake;
import io.sluice.handlers.http.TargetQuery;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The filters that a route allows, by their names in the query string: {@code price[ge]}. Thread-safe. */
final class Filters {
    /** In the order of the configuration, so that the database prepares few statements. */
    private final Map<String, Filter> filters = new LinkedHashMap<>();
    private final List<String> shown;

    private record Filter(String column, FilterOperator operator) {
    }

    Filters(Map<String, Set<FilterOperator>> allowed) {
        allowed.forEach((column, operators) -> operators.stream().sorted().forEach(operator ->
                filters.put(column + '[' + operator.name().toLowerCase(Locale.ROOT) + ']',
                        new Filter(column, operator))));
        shown = List.copyOf(filters.keySet());
        List.copyOf(filters.values()).stream().filter(filter -> filter.operator() == FilterOperator.EQ)
                .forEach(filter -> filters.put(filter.column(), filter));
    }

    /** Returns the conditions of a target with these parameters, and adds the mistakes in them. */
    List<Condition> of(String target, Map<String, List<String>> parameters, List<Mistake> mistakes) {
        if (filters.isEmpty()) {
            return List.of();
        }
        var conditions = new ArrayList<Condition>();
        filters.forEach((name, filter) -> {
            String value = SelectionRules.single(parameters, name, mistakes);
            if (value != null) {
                add(conditions, name, filter, filter.operator() == FilterOperator.IN
                        ? TargetQuery.elements(target, name) : List.of(value), mistakes);
            }
        });
        parameters.forEach((name, values) -> {
            if (name.endsWith("]") && !filters.containsKey(name)) {
                mistakes.add(Mistake.ofParameter(name, Mistake.unexpected(values.getFirst(),
                        "a filter of " + String.join(", ", shown))));
            }
        });
        return conditions;
    }

    /** Returns a condition for each filter. */
    List<Condition> all() {
        return filters.entrySet().stream().filter(filter -> filter.getKey().endsWith("]"))
                .map(filter -> new Condition(filter.getKey(), filter.getValue().column(),
                        filter.getValue().operator(), List.of(""))).toList();
    }

    private static void add(List<Condition> conditions, String name, Filter filter, List<String> values,
                            List<Mistake> mistakes) {
        if (values.size() > SelectionRules.MAX_FILTER_VALUES) {
            mistakes.add(Mistake.ofParameter(name,
                    Mistake.unexpected(values.size() + " values", "1.." + SelectionRules.MAX_FILTER_VALUES)));
            return;
        }
        conditions.add(new Condition(name, filter.column(), filter.operator(), values));
    }
}
