package io.sluice.config.check;

import io.sluice.config.HandlerConfig;

/** Checks the keys of a query that say how its result is answered. */
final class ResultChecks {

    private ResultChecks() {
    }

    static void check(HandlerConfig.Query query, Setting at) {
        query.contentType().ifPresent(type -> {
            HeaderText.check(type, at.at("content-type"));
            requireSingle(query, at.at("content-type"));
        });
        query.etag().ifPresent(_ -> requireSingle(query, at.at("etag")));
        query.cacheControl().ifPresent(value -> HeaderText.check(value, at.at("cache-control")));
    }

    private static void requireSingle(HandlerConfig.Query query, Setting at) {
        if (!query.single()) {
            at.wrong(at.text(), "single = true beside it");
        }
    }
}
