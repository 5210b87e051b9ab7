package io.sluice.config.read;

import io.sluice.config.UpstreamConfig;
import io.sluice.config.UpstreamConfig.Balance;
import io.sluice.config.type.EndpointUrl;
import io.sluice.config.type.WeightedEndpoint;
import java.util.HashSet;
import java.util.Set;

/** Checks relations between the keys of an upstream. */
final class UpstreamChecks {

    private UpstreamChecks() {
    }

    static void check(UpstreamConfig config, Setting at) {
        checkEndpoints(config, at);
        boolean hashes = config.hashBy() != null && !at.at("hash-by").isDefault();
        if (hashes && config.balance() == Balance.LEAST_LOAD) {
            at.at("balance").toldOf(at.at("hash-by")).wrong("least-load", "hash, as there is hash-by");
        }
        if (config.circuit() != null) {
            checkBackOff(config.circuit(), at.at("circuit"));
        }
        config.health().ifPresent(health -> {
            Setting path = at.at("health").at("path");
            if (health.path() != null && !health.path().matches("/[!-~&&[^#]]*")) {
                path.wrong(HeaderText.printable(health.path()),
                        "a path in printable ASCII that begins with /, such as /healthz");
            }
        });
    }

    private static void checkEndpoints(UpstreamConfig config, Setting at) {
        Setting endpoints = at.at("endpoints");
        Setting dns = at.at("dns");
        if (!endpoints.isSet() && !dns.isSet()) {
            endpoints.missing("a list of URLs, or dns with one whose name has the addresses of all");
        }
        if (endpoints.isSet() && dns.isSet()) {
            dns.wrong("either endpoints or dns");
        }
        Set<EndpointUrl> taken = new HashSet<>();
        for (WeightedEndpoint endpoint : config.endpoints().orElse(Set.of())) {
            if (!taken.add(endpoint.url())) {
                endpoints.wrong(endpoint.url() + " twice", "each endpoint once, with a weight");
            }
        }
    }

    private static void checkBackOff(UpstreamConfig.Circuit circuit, Setting at) {
        if (circuit.backOff() != null && circuit.maxBackOff() != null
                && circuit.backOff().compareTo(circuit.maxBackOff()) > 0) {
            boolean isDefault = at.at("back-off").isDefault();
            at.at(isDefault ? "max-back-off" : "back-off").wrong(isDefault
                    ? "at least back-off, " + PlainValues.text(circuit.backOff())
                    : "at most max-back-off, " + PlainValues.text(circuit.maxBackOff()));
        }
    }
}
