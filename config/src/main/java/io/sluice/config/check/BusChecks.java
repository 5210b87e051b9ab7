package io.sluice.config.check;

import io.sluice.config.topic.BusConfig;

/** Checks relations between the keys of a bus. */
final class BusChecks {

    private BusChecks() {
    }

    static void check(BusConfig config, Setting at, Setting written) {
        if (config.tls() != null) {
            UpstreamChecks.checkTls(config.tls(), at.at("tls"));
            config.tls().serverName().ifPresent(name ->
                    at.at("tls").at("server-name").wrong(name, "none: certificates have the host of url"));
        }
        if (config.username() != null && config.username().isPresent()
                && !at.at("password-file").isSet()) {
            at.at("password-file").locatedAt(at.at("username"))
                    .missing("a file with the password of username");
        }
        if (config.url() == null) {
            return;
        }
        if (!config.url().secure()) {
            UpstreamChecks.requireNone("none, as url is not rediss://", written.at("tls"));
        }
        boolean sentinels = config.url().master().isPresent();
        if (config.url().servers().size() > 1 && !sentinels && !config.cluster()) {
            at.at("url").wrong(config.url(), "one server, or cluster = true");
        }
        if (config.cluster() && (sentinels || config.url().database() != 0)) {
            at.at("url").wrong(config.url(), "a URL without sentinels and database, as cluster = true");
        }
    }
}
