package io.sluice.config.check;

import io.sluice.config.HandlerConfig;
import io.sluice.config.ParameterConfig.Source;
import java.util.List;
import java.util.Optional;

/** Checks queries that run their statement for each row of a body: {@code bulk}. */
final class BulkChecks {
    private static final List<String> NOT_BESIDE = List.of("content-type", "etag", "cache-control", "paging",
            "sort", "filter", "write", "live");

    private BulkChecks() {
    }

    static void check(HandlerConfig.Query query, Setting at) {
        if (query.bulk().isEmpty()) {
            return;
        }
        if (query.sql() != null && !query.sql().changesRows()) {
            at.at("bulk").wrong("an INSERT, UPDATE, DELETE or MERGE for it");
        }
        if (query.sql() != null && query.sql().returnsRows()) {
            at.at("bulk").wrong("a statement without RETURNING for it");
        }
        if (query.single()) {
            at.at("single").wrong("none beside bulk");
        }
        NOT_BESIDE.stream().map(at::at).filter(Setting::isSet)
                .forEach(setting -> setting.wrong("none beside bulk"));
        if (query.parameters() != null && query.parameters().values().stream().noneMatch(parameter ->
                parameter != null && parameter.from().equals(Optional.of(Source.BODY)))) {
            at.at("bulk").wrong("a parameter with from = body");
        }
    }
}
