package io.sluice.handlers.selection;

import io.netty.util.concurrent.Ticker;
import io.sluice.config.HandlerConfig;
import io.sluice.config.QueryStatements;
import io.sluice.config.selection.PagingConfig;
import io.sluice.config.selection.SortConfig;
import io.sluice.config.selection.SortKey;
import io.sluice.config.type.NamedSql;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.Mistake;
import io.sluice.handlers.http.TargetQuery;
import io.sluice.offload.jdbc.StatementCheck;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The filters, order and pages that clients may select of a route's result. Thread-safe. */
public final class SelectionRules {
    /** The most columns by which a client may sort. */
    public static final int MAX_SORT_KEYS = 3;
    /** The most values of a filter by {@code in}. */
    public static final int MAX_FILTER_VALUES = 50;

    private final NamedSql sql;
    private final Filters filters;
    private final Collection<String> sortable;
    private final List<SortKey> defaultOrder;
    private final @Nullable PagingConfig paging;
    private final CursorSeal seal;
    private final ResultColumns columns;

    private SelectionRules(HandlerConfig.Query query) {
        sql = new NamedSql(QueryStatements.jdbc(query, query.sql()), query.sql().parameters());
        filters = new Filters(query.filter().orElse(Map.of()));
        sortable = query.sort().map(SortConfig::allowed).orElse(Set.of());
        defaultOrder = query.sort().flatMap(SortConfig::defaultOrder).map(List::copyOf).orElse(List.of());
        paging = query.paging().orElse(null);
        columns = new ResultColumns(QueryStatements.jdbc(query, query.sql()), Ticker.systemTicker());
        seal = new CursorSeal(query.paging().flatMap(PagingConfig::secret));
    }

    /** Returns the rules of a route; null if clients cannot select rows. */
    public static @Nullable SelectionRules of(HandlerConfig.Query query) {
        return query.selects() ? new SelectionRules(query) : null;
    }

    /** Returns statements with all columns that clients may name, for a check against the database. */
    public static List<StatementCheck.Selection> checked(HandlerConfig.Query query) {
        SelectionRules rules = of(query);
        return rules == null ? List.of() : Stream.of(
                rules.checked("filter", rules.filters.all(), Stream.of()),
                rules.checked("sort.allowed", List.of(), rules.sortable.stream()),
                rules.checked("paging.key", List.of(), query.paging().stream()
                        .flatMap(paging -> paging.key().stream()).map(SortKey::column)))
                .flatMap(Optional::stream).toList();
    }

    private Optional<StatementCheck.Selection> checked(String key, List<Condition> conditions,
                                                       Stream<String> columns) {
        List<SortKey> order = columns.map(column -> new SortKey(column, false)).toList();
        var all = new Selection(sql, conditions, order, this.columns, List.of(), null);
        return conditions.isEmpty() && order.isEmpty() ? Optional.empty()
                : Optional.of(new StatementCheck.Selection(key, all::sql));
    }

    /**
     * Returns the selection of a request, with the mistakes in it. On the event loop.
     *
     * @throws io.sluice.handlers.HttpException 400 if the query is not properly encoded UTF-8, or has more
     *     than 1,024 parameters
     */
    public Selection select(Exchange exchange) {
        exchange.queryParameters(Page.CURSOR); // checks the encoding of the query
        String target = exchange.request().uri();
        Map<String, List<String>> parameters = TargetQuery.parameters(target);
        var mistakes = new ArrayList<Mistake>(0);
        String sort = sortable.isEmpty() ? null : single(parameters, "sort", mistakes);
        List<SortKey> order = order(sort, mistakes);
        boolean isOrdered = mistakes.isEmpty();
        List<Condition> conditions = filters.of(target, parameters, mistakes);
        if (paging == null) {
            return new Selection(sql, conditions, order, columns, mistakes, null);
        }
        List<SortKey> complete = new ArrayList<>(order);
        Set<String> sorted = order.stream().map(SortKey::column).collect(Collectors.toSet());
        paging.key().stream().filter(key -> !sorted.contains(key.column())).forEach(complete::add);
        int limit = limit(single(parameters, "limit", mistakes), paging, mistakes);
        String cursor = single(parameters, Page.CURSOR, mistakes);
        var page = new Page(target, seal, purpose(complete), limit, paging.count().orElse(null),
                isOrdered ? after(cursor, complete, mistakes) : null);
        return new Selection(sql, conditions, complete, columns, mistakes, page);
    }

    /** Returns the only value of a parameter; null if there is none, or several, which is a mistake. */
    static @Nullable String single(Map<String, List<String>> parameters, String name,
                                   List<Mistake> mistakes) {
        List<String> values = parameters.getOrDefault(name, List.of());
        if (values.size() > 1) {
            mistakes.add(mistake(name, values.size() + " times", "at most once"));
        }
        return values.size() != 1 ? null : values.getFirst();
    }

    private static Mistake mistake(String name, String value, String expected) {
        return Mistake.ofParameter(name, Mistake.unexpected(value, expected));
    }

    private List<SortKey> order(@Nullable String sort, List<Mistake> mistakes) {
        if (sort == null) {
            return defaultOrder;
        }
        try {
            List<SortKey> order = Arrays.stream(sort.split(",", -1)).map(SortKey::parse).toList();
            long distinct = order.stream().map(SortKey::column).distinct().count();
            if (distinct == order.size() && distinct <= MAX_SORT_KEYS
                    && order.stream().allMatch(key -> sortable.contains(key.column()))) {
                return order;
            }
        } catch (IllegalArgumentException e) {
            // An empty column, which is told below.
        }
        mistakes.add(mistake("sort", sort, "up to %d of %s, each once; -%s for the largest first"
                .formatted(MAX_SORT_KEYS, String.join(", ", sortable), sortable.iterator().next())));
        return defaultOrder;
    }

    private static int limit(@Nullable String text, PagingConfig paging, List<Mistake> mistakes) {
        if (text == null) {
            return paging.limit();
        }
        if (text.matches("[0-9]{1,9}")) {
            int limit = Integer.parseInt(text);
            if (limit >= 1 && limit <= paging.maxLimit()) {
                return limit;
            }
        }
        mistakes.add(mistake("limit", text, "1.." + paging.maxLimit()));
        return paging.limit();
    }

    /** A cursor of another statement or order is none of this one. */
    private String purpose(List<SortKey> order) {
        return sql.jdbc() + '\n' + order;
    }

    private @Nullable List<@Nullable String> after(@Nullable String cursor, List<SortKey> order,
                                                   List<Mistake> mistakes) {
        if (cursor == null) {
            return null;
        }
        List<@Nullable String> values = seal.open(purpose(order), cursor);
        if (values == null || values.size() != order.size()) {
            mistakes.add(mistake(Page.CURSOR, cursor, Page.EXPECTED_CURSOR));
            return null;
        }
        return values;
    }
}
