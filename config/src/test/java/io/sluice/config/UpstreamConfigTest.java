package io.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.UpstreamConfig.Balance;
import io.sluice.config.type.HashBy;
import io.sluice.config.type.NameServer;
import io.sluice.config.type.WeightedEndpoint;
import io.sluice.config.upstream.HealthConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UpstreamConfigTest {
    private static final String AT = "main.conf:1: sluice.upstreams.a";

    @TempDir
    private Path directory;
    private HoconFile file;

    @BeforeEach
    void open() {
        file = new HoconFile(directory);
    }

    private UpstreamConfig load(String keys) {
        return file.load("sluice.upstreams.a { %s }".formatted(keys)).upstreams().get("a");
    }

    @Test
    void needsNothingButEndpoints() {
        UpstreamConfig config = load("endpoints = [\"http://10.0.0.7:8080 weight=3\", \"http://10.0.0.8\"]");

        assertThat(config.endpoints().orElseThrow()).extracting(WeightedEndpoint::toString)
                .containsExactly("http://10.0.0.7:8080 weight=3", "http://10.0.0.8");
        assertThat(config.balance()).isEqualTo(Balance.LEAST_LOAD);
        assertThat(config.circuit()).isEqualTo(
                new UpstreamConfig.Circuit(3, Duration.ofSeconds(10), Duration.ofSeconds(300)));
        assertThat(config.dns()).isEmpty();
        assertThat(config.dnsServers()).isEmpty();
        assertThat(config.health()).isEmpty();
        assertThat(config.proxyProtocol()).isFalse();
    }

    @Test
    void readsNamesAndTheirServers() {
        UpstreamConfig config = load("dns = \"http://shop.internal:8080\", dns-servers = "
                + "[10.0.0.2, \"10.0.0.3:5353\", \"fd00::2\", \"[fd00::3]:54\"]");

        assertThat(config.endpoints()).isEmpty();
        assertThat(config.dns().orElseThrow()).hasToString("http://shop.internal:8080");
        assertThat(config.dnsServers().orElseThrow()).extracting(NameServer::toString).containsExactly(
                "10.0.0.2:53", "10.0.0.3:5353", "[fd00:0:0:0:0:0:0:2]:53", "[fd00:0:0:0:0:0:0:3]:54");
    }

    @ParameterizedTest
    @CsvSource({"header X-User, HEADER, X-User", "cookie sid, COOKIE, sid", "address, ADDRESS, ''"})
    void hashByIsRead(String text, HashBy.Part part, String name) {
        UpstreamConfig config = load("endpoints = [\"http://a\"], balance = hash, hash-by = \"" + text + '"');

        assertThat(config.balance()).isEqualTo(Balance.HASH);
        assertThat(config.hashBy()).isEqualTo(new HashBy(part, name)).hasToString(text);
    }

    @Test
    void hasDefaultsOfChecks() {
        assertThat(load("endpoints = [\"http://a\"], health {}").health()).hasValue(
                new HealthConfig("/", Duration.ofSeconds(2), Duration.ofSeconds(1), 3, 2));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ``| .endpoints: missing (expected: a list of URLs, or dns with one whose name has the \
            addresses of all)
            dns = "http://a", endpoints = ["http://b"]| .dns: http://a (expected: either endpoints or dns)
            endpoints = ["http://b", "http://b weight=2"]| .endpoints: http://b twice (expected: each \
            endpoint once, with a weight)
            endpoints = ["http://b weight=0"]| .endpoints: http://b weight=0 (expected: http:// or https:// \
            with a host and, if needed, a port; behind it, if needed, weight=1 to weight=100)
            dns = "http://a", dns-servers = [shop]| .dns-servers: shop (expected: an IP address and, if \
            needed, a port, such as 10.0.0.2:53)
            dns = "http://a", dns-servers = ["10.0.0.2:0"]| .dns-servers: 10.0.0.2:0 (expected: an IP \
            address and, if needed, a port, such as 10.0.0.2:53)
            dns = "http://a", tls.server-name = b| .tls.server-name: b (expected: none, as no endpoint is \
            https://)
            dns = "http://a", hash-by = "header"| .hash-by: header (expected: header and its name, cookie \
            and its name, or address)
            dns = "http://a", hash-by = "cookie a=b"| .hash-by: cookie a=b (expected: header and its name, \
            cookie and its name, or address)
            dns = "http://a", hash-by = "cookie a"| .balance: least-load (expected: hash, as there is hash-by)
            dns = "http://a", circuit.back-off = 10m| .circuit.back-off: 10m (expected: at most \
            max-back-off, 5m)
            dns = "http://a", circuit.max-back-off = 1s| .circuit.max-back-off: 1s (expected: at least \
            back-off, 10s)
            dns = "http://a", health.path = healthz| .health.path: healthz (expected: a path in printable \
            ASCII that begins with /, such as /healthz)
            """)
    void invalidUpstreamKeysAreReported(String keys, String problem) {
        assertThat(file.problems("sluice.upstreams.a { %s }".formatted(keys)))
                .isEqualTo(List.of(AT + problem));
    }

    /** Only keys of the entry itself are mistakes, and only if all endpoints are known. */
    @Test
    void keysOfTlsMayBeDefaultsOfEntriesWithoutIt() {
        assertThat(file.load("""
                sluice.upstream-defaults.tls.server-name = internal
                sluice.bus-defaults.tls.ca = ca.crt
                sluice.upstreams { a.endpoints = ["https://a"], b.endpoints = ["http://b"] }
                sluice.buses.c.url = "redis://c"
                """).upstreams()).containsOnlyKeys("a", "b");
        assertThat(file.problems("sluice.upstreams.a { endpoints = [\"https://a/x\"], tls.server-name = a }"))
                .singleElement().asString().startsWith(AT + ".endpoints");
    }
}
