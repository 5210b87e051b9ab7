package io.sluice.config.check;

import io.sluice.config.UpstreamConfig;
import io.sluice.config.UpstreamConfig.Balance;
import io.sluice.config.UpstreamConfig.Protocol;
import io.sluice.config.problem.ValueText;
import io.sluice.config.type.EndpointUrl;
import io.sluice.config.type.WeightedEndpoint;
import io.sluice.config.upstream.UpstreamTlsConfig;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Checks relations between the keys of an upstream. */
final class UpstreamChecks {
    private static final String DNS_NAME = "[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?";

    private UpstreamChecks() {
    }

    static void check(UpstreamConfig config, Setting at, Setting written) {
        checkEndpoints(config, at);
        checkProtocol(config, at);
        if (config.tls() != null) {
            checkTls(config.tls(), at.at("tls"));
        }
        if (!config.isSecure() && knowsAllEndpoints(config, at)) {
            requireNone("none, as no endpoint is https://", written.at("tls"));
        }
        boolean hashes = config.hashBy() != null && !at.at("hash-by").isDefault();
        if (hashes && config.balance() == Balance.LEAST_LOAD) {
            at.at("balance").locatedAt(at.at("hash-by")).wrong("least-load", "hash, as there is hash-by");
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

    /** Returns whether there are endpoints, all of which could be read. */
    private static boolean knowsAllEndpoints(UpstreamConfig config, Setting at) {
        int known = config.endpoints().map(Set::size).orElse(0) + (config.dns().isPresent() ? 1 : 0);
        return known > 0 && known == at.at("endpoints").size() + at.at("dns").size();
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

    private static void checkProtocol(UpstreamConfig config, Setting at) {
        if (config.protocol() == Protocol.H2C && config.isSecure()) {
            at.at("protocol").wrong("h2c", "auto, which negotiates the protocol of https endpoints");
        }
        if (config.protocol() != null && config.protocol() != Protocol.HTTP1 && config.proxyProtocol()) {
            at.at("protocol").locatedAt(at.at("proxy-protocol")).wrong(ValueText.word(config.protocol()),
                    "http1, as clients share the connections of HTTP/2");
        }
    }

    static void checkTls(UpstreamTlsConfig tls, Setting at) {
        goTogether(at.at("certificate"), at.at("private-key"));
        goTogether(at.at("private-key"), at.at("certificate"));
        tls.serverName().filter(name -> !name.matches(DNS_NAME))
                .ifPresent(name -> at.at("server-name").wrong(HeaderText.printable(name), "a DNS name"));
    }

    /** Reports keys of TLS where connections do not use it; as written: defaults serve other entries. */
    static void requireNone(String expected, Setting tls) {
        for (String key : List.of("ca", "server-name", "certificate", "private-key")) {
            if (tls.at(key).isSet()) {
                tls.at(key).wrong(expected);
            }
        }
    }

    private static void goTogether(Setting one, Setting other) {
        if (one.isSet() && !other.isSet()) {
            other.locatedAt(one).missing("certificate and private-key, or neither");
        }
    }

    private static void checkBackOff(UpstreamConfig.Circuit circuit, Setting at) {
        if (circuit.backOff() != null && circuit.maxBackOff() != null
                && circuit.backOff().compareTo(circuit.maxBackOff()) > 0) {
            boolean isDefault = at.at("back-off").isDefault();
            at.at(isDefault ? "max-back-off" : "back-off").wrong(isDefault
                    ? "at least back-off, " + ValueText.duration(circuit.backOff())
                    : "at most max-back-off, " + ValueText.duration(circuit.maxBackOff()));
        }
    }
}
