package io.sluice.config.read;

import io.sluice.config.HandlerConfig;
import io.sluice.config.RouteConfig;

/** Checks routes of the kind {@code proxy}. */
final class ProxyChecks {

    private ProxyChecks() {
    }

    static void check(RouteConfig route, HandlerConfig.Proxy proxy, Setting at) {
        proxy.stripPrefix().ifPresent(prefix -> checkPrefix(prefix, route, at.at("strip-prefix")));
        if (proxy.host() != null) {
            HeaderText.check(proxy.host(), at.at("host"));
        }
    }

    private static void checkPrefix(String prefix, RouteConfig route, Setting at) {
        if (route.path() != null && !(route.path() + "/").startsWith(prefix + "/")) {
            at.wrong(prefix, "whole segments that the path %s begins with".formatted(route.path()));
        }
    }
}
