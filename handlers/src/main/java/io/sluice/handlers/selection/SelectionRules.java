package io.sluice.handlers.selection;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.sluice.config.HandlerConfig;
import io.sluice.config.QueryStatements;
import io.sluice.config.selection.PagingConfig;
import io.sluice.config.selection.SortConfig;
import io.sluice.config.selection.SortKey;
import io.sluice.config.type.NamedSql;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The filters, order and pages that clients may select of a route's result. Thread-safe. */
public final class SelectionRules {
    private static final int MOST_SORT_KEYS = 3;
    /** The limit of query parameters, the same as for all requests. */
    private static final int MAX_PARAMETERS = 1024;

    private final NamedSql sql;
    private final Filters filters;
    private final Collection<String> sortable;
    private final List<SortKey> defaultOrder;
    private final @Nullable PagingConfig paging;
    private final CursorSeal seal;
    private final NotNullColumns notNull;

    private SelectionRules(HandlerConfig.Query query) {
        sql = new NamedSql(QueryStatements.jdbc(query, query.sql()), query.sql().parameters());
        filters = new Filters(query.filter().orElse(Map.of()));
        sortable = query.sort().map(SortConfig::allowed).orElse(Set.of());
        defaultOrder = query.sort().flatMap(SortConfig::defaultOrder).map(List::copyOf).orElse(List.of());
        paging = query.paging().orElse(null);
        notNull = new NotNullColumns(QueryStatements.jdbc(query, query.sql()));
        seal = new CursorSeal(query.paging().flatMap(PagingConfig::secret));
    }

    /** Returns the rules of a route; null if clients cannot select rows. */
    public static @Nullable SelectionRules of(HandlerConfig.Query query) {
        return query.selects() ? new SelectionRules(query) : null;
    }

    /**
     * Returns the selection of a request. On the event loop.
     *
     * @throws HttpException 400 if the rules do not allow it, or the query is not properly encoded UTF-8
     */
    public Selection select(Exchange exchange) {
        exchange.queryParameter("cursor"); // checks the encoding of the query
        String target = exchange.request().uri();
        var decoder = new QueryStringDecoder(target, StandardCharsets.UTF_8, true, MAX_PARAMETERS, true);
        Map<String, List<String>> parameters = decoder.parameters();
        List<SortKey> order = order(sortable.isEmpty() ? null : single(parameters, "sort"));
        List<Condition> conditions = filters.of(parameters);
        if (paging == null) {
            return new Selection(sql, conditions, order, notNull, null);
        }
        List<SortKey> complete = new ArrayList<>(order);
        Set<String> columns = order.stream().map(SortKey::column).collect(Collectors.toSet());
        paging.key().stream().filter(key -> !columns.contains(key.column())).forEach(complete::add);
        int limit = limit(single(parameters, "limit"), paging);
        var page = new Page(target, seal, purpose(complete), limit,
                paging.count().orElse(null), after(single(parameters, "cursor"), complete));
        return new Selection(sql, conditions, complete, notNull, page);
    }

    /** Returns the only value of a parameter; null if there is none, 400 for several. */
    static @Nullable String single(Map<String, List<String>> parameters, String name) {
        List<String> values = parameters.getOrDefault(name, List.of());
        if (values.size() > 1) {
            throw HttpException.badParameter(name, values.size() + " times", "at most once");
        }
        return values.isEmpty() ? null : values.getFirst();
    }

    private List<SortKey> order(@Nullable String sort) {
        if (sort == null) {
            return defaultOrder;
        }
        try {
            List<SortKey> order = Arrays.stream(sort.split(",", -1)).map(SortKey::parse).toList();
            long distinct = order.stream().map(SortKey::column).distinct().count();
            if (distinct == order.size() && distinct <= MOST_SORT_KEYS
                    && order.stream().allMatch(key -> sortable.contains(key.column()))) {
                return order;
            }
        } catch (IllegalArgumentException e) {
            // An empty column, which is told below.
        }
        throw HttpException.badParameter("sort", sort, "up to %d of %s, each once; -%s for the largest first"
                .formatted(MOST_SORT_KEYS, String.join(", ", sortable), sortable.iterator().next()));
    }

    private static int limit(@Nullable String text, PagingConfig paging) {
        if (text == null) {
            return paging.limit();
        }
        if (text.matches("[0-9]{1,9}")) {
            int limit = Integer.parseInt(text);
            if (limit >= 1 && limit <= paging.maxLimit()) {
                return limit;
            }
        }
        throw HttpException.badParameter("limit", text, "1.." + paging.maxLimit());
    }

    /** A cursor of another statement or order is none of this one. */
    private String purpose(List<SortKey> order) {
        return sql.jdbc() + '\n' + order;
    }

    private @Nullable List<@Nullable String> after(@Nullable String cursor, List<SortKey> order) {
        if (cursor == null) {
            return null;
        }
        List<@Nullable String> values = seal.open(purpose(order), cursor);
        if (values == null || values.size() != order.size()) {
            throw new HttpException(HttpResponseStatus.BAD_REQUEST,
                    "cursor (expected: one of a Link of this route, with the same sort)");
        }
        return values;
    }
}
