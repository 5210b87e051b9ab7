package io.sluice.config.check;

import io.sluice.config.DatabaseConfig;
import io.sluice.config.HandlerConfig;
import io.sluice.config.selection.FilterOperator;
import io.sluice.config.selection.PagingConfig;
import io.sluice.config.selection.SortConfig;
import io.sluice.config.selection.SortKey;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Checks the keys of a query that let clients select rows: {@code paging}, {@code sort}, {@code filter}. */
final class SelectionChecks {
    private static final List<String> OF_PAGES = List.of("limit", "cursor");

    private final HandlerConfig.Query query;
    private final Setting at;

    SelectionChecks(HandlerConfig.Query query, Setting at) {
        this.query = query;
        this.at = at;
    }

    /** Checks them; the databases may be null. */
    void check(Map<String, DatabaseConfig> databases) {
        query.paging().ifPresent(paging -> checkPaging(paging, at.at("paging"), databases));
        query.sort().ifPresent(sort -> checkSort(sort, at.at("sort")));
        query.filter().ifPresent(filter -> filter.forEach((column, operators) ->
                checkFilter(column, operators, at.at("filter").at(column))));
        for (String key : List.of("paging", "sort", "filter")) {
            if (at.at(key).isSet()) {
                requireRows(at.at(key));
            }
        }
    }

    private void checkFilter(String column, Set<FilterOperator> operators, Setting here) {
        requireFree(column, here);
        boolean isOther = query.paging().isPresent() && OF_PAGES.contains(column)
                || query.sort().isPresent() && column.equals("sort");
        if (isOther && operators != null && operators.contains(FilterOperator.EQ)) {
            here.wrong("eq", "another name for that column, as ?" + column + "= selects rows");
        }
    }

    private void requireRows(Setting here) {
        if (query.single()) {
            here.wrong("single = true", "a result of several rows");
        } else if (query.sql() != null) {
            query.sql().change().ifPresent(change -> here.wrong(change, "a statement that only reads"));
        }
    }

    private void checkPaging(PagingConfig paging, Setting here, Map<String, DatabaseConfig> databases) {
        if (paging.limit() > paging.maxLimit()) {
            Setting limit = here.at("limit");
            limit.locatedAt(limit.isDefault() ? here.at("max-limit") : limit)
                    .wrong(paging.limit(), "at most max-limit, " + paging.maxLimit());
        }
        if (paging.key() != null) {
            requireDistinct(paging.key(), here.at("key"));
        }
        DatabaseConfig database = DatabaseChecks.known(databases, query.database());
        if (paging.count().equals(Optional.of(PagingConfig.Count.ESTIMATED)) && database != null
                && !database.isFor("postgresql")) {
            here.at("count").wrong("estimated", "exact for this database");
        }
        OF_PAGES.forEach(name -> requireFree(name, here));
    }

    private void checkSort(SortConfig sort, Setting here) {
        requireFree("sort", here);
        sort.defaultOrder().ifPresent(order -> {
            requireDistinct(order, here.at("default"));
            order.stream().map(SortKey::column)
                    .filter(column -> sort.allowed() != null && !sort.allowed().contains(column)).findFirst()
                    .ifPresent(column -> here.at("default").wrong(column, "columns of " + sort.allowed()));
        });
    }

    private static void requireDistinct(Set<SortKey> keys, Setting here) {
        var columns = new HashSet<String>();
        keys.stream().map(SortKey::column).filter(column -> !columns.add(column)).findFirst()
                .ifPresent(column -> here.wrong(column + " twice", "each column once"));
    }

    /** A name in the query string cannot have two meanings. */
    private void requireFree(String name, Setting here) {
        if (query.sql() != null && query.sql().parameters().contains(name)) {
            here.wrong(':' + name + " in sql", "another name for that parameter, as ?" + name
                    + "= selects rows");
        }
    }
}
