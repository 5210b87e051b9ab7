package io.sluice.config.check;

import io.sluice.config.CorsConfig;
import io.sluice.config.type.HeaderName;
import io.sluice.config.type.OriginPattern;

/**
 * Checks the {@code cors} of a route: with credentials, a wildcard would let every page use the session of
 * its reader.
 */
final class CorsChecks {

    private CorsChecks() {
    }

    static void check(CorsConfig cors, Setting at) {
        if (!cors.credentials()) {
            return;
        }
        if (cors.origins() != null && cors.origins().contains(OriginPattern.ANY)) {
            at.at("origins").wrong("*", "origins by name where credentials = true");
        }
        if (cors.expose() != null && cors.expose().contains(HeaderName.ANY)) {
            at.at("expose").wrong("*", "headers by name where credentials = true");
        }
    }
}
