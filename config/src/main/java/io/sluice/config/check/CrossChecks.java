package io.sluice.config.check;

import com.typesafe.config.ConfigObject;
import io.sluice.config.GatewayConfig;
import io.sluice.config.OffloadConfig;
import io.sluice.config.ServerConfig;
import io.sluice.config.TokenConfig;
import io.sluice.config.problem.ConfigProblems;
import io.sluice.config.type.Sha256;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/** Checks relations between values. Values that could not be bound are null here, and are skipped. */
public final class CrossChecks {
    private final Setting written;
    private final Setting root;

    /**
     * Creates checks of a section.
     *
     * @param path its path
     * @param written the section without the defaults of its entries
     * @param root the section, complete with defaults
     */
    public CrossChecks(ConfigProblems problems, String path, ConfigObject written, ConfigObject root) {
        this.written = new Setting(problems, path, written);
        this.root = new Setting(problems, path, root);
    }

    /** Checks the configuration that was bound from the section. */
    public void check(GatewayConfig config) {
        if (config.server() != null) {
            checkServer(config.server(), root.at("server"));
        }
        checkPorts(config);
        if (config.tls() != null) {
            TlsChecks.check(config.tls(), root.at("tls"));
        }
        if (config.offload() != null) {
            checkPools(config.offload(), root.at("offload").at("pools"));
        }
        each(config.upstreams(), (name, upstream) ->
                UpstreamChecks.check(upstream, root.at("upstreams").at(name),
                        written.at("upstreams").at(name)));
        each(config.databases(), (name, database) ->
                DatabaseChecks.check(database, config.tokens(), root.at("databases").at(name)));
        each(config.buses(), (name, bus) -> BusChecks.check(bus, root.at("buses").at(name),
                written.at("buses").at(name)));
        checkTokens(config.tokens(), root.at("tokens"));
        var sources = new SourceChecks(config.databases());
        each(config.topics(), (name, topics) -> {
            Setting at = root.at("topics").at(name);
            topics.source().ifPresent(source -> sources.check(name, source, at.at("source")));
            TopicChecks.check(topics, at);
        });
        each(config.routes(), new RouteChecks(config, root)::check);
    }

    private static void checkServer(ServerConfig server, Setting at) {
        HeaderText.check(server.serverHeader(), at.at("server-header"));
        if (server.writeBufferLow() == null || server.writeBufferHigh() == null
                || server.writeBufferLow().bytes() <= server.writeBufferHigh().bytes()) {
            return;
        }
        if (at.at("write-buffer-low").isDefault()) {
            at.at("write-buffer-high").wrong(server.writeBufferHigh(),
                    "at least write-buffer-low, " + server.writeBufferLow());
        } else {
            at.at("write-buffer-low").wrong(server.writeBufferLow(),
                    "at most write-buffer-high, " + server.writeBufferHigh());
        }
    }

    /** Reports ports that would be opened twice; with {@code reuse-port}, both would get connections. */
    private void checkPorts(GatewayConfig config) {
        var ports = new ArrayList<Port>();
        if (config.server() != null) {
            ports.add(new Port("server", config.server().host(), config.server().port()));
        }
        if (config.tls() != null && config.tls().enabled()) {
            ports.add(new Port("tls", config.tls().host(), config.tls().port()));
        }
        if (config.admin() != null) {
            ports.add(new Port("admin", config.admin().host(), config.admin().port()));
        }
        for (Port port : ports) {
            ports.stream().takeWhile(before -> before != port).filter(port::isAt).forEach(before -> {
                Setting at = root.at(port.section()).at("port");
                Setting other = root.at(before.section()).at("port");
                at.locatedAt(at.isDefault() ? other : at)
                        .wrong(port.number(), "another one than " + before.section() + ".port");
            });
        }
    }

    /** A port that the gateway opens; of host, null stands for a value that could not be bound. */
    private record Port(String section, String host, int number) {
        private static final Set<String> ANY = Set.of("0.0.0.0", "::", "0:0:0:0:0:0:0:0");

        boolean isAt(Port other) {
            return number != 0 && number == other.number && host != null && other.host != null
                    && (host.equals(other.host) || ANY.contains(host) || ANY.contains(other.host));
        }
    }

    private static void checkPools(OffloadConfig offload, Setting at) {
        if (offload.pools() != null && offload.pools().containsKey("spill")) {
            at.at("spill").wrong("spill", "another name: that is the pool which reads offload.spill");
        }
    }

    /** Reports two tokens with the same hash, which would make a request's owner ambiguous. */
    private static void checkTokens(Map<String, TokenConfig> tokens, Setting at) {
        Map<Sha256, String> taken = new HashMap<>();
        each(tokens, (name, token) -> {
            String other = token.sha256() == null ? null : taken.putIfAbsent(token.sha256(), name);
            if (other != null) {
                at.at(name).at("sha256").wrong("that of " + other, "of a token of its own");
            }
        });
    }

    private static <T> void each(Map<String, T> map, BiConsumer<String, T> check) {
        if (map != null) {
            map.forEach((name, value) -> {
                if (value != null) {
                    check.accept(name, value);
                }
            });
        }
    }
}
