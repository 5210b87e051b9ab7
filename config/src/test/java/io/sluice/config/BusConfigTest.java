package io.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.config.topic.BusUrl;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BusConfigTest {
    private static final String ROUTE = """
            sluice.topics.news { bus = redis, history {} }
            sluice.routes.a { path = "/{topic}", handler = publish, topics = news }
            """;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({"redis://cache, redis://cache:6379", "redis://10.0.0.7:7000/3, redis://10.0.0.7:7000/3",
            "'rediss://a,[fd00::2]:7001', 'rediss://a:6379,[fd00::2]:7001'",
            "'redis-sentinel://a,b:1/2#main', 'redis-sentinel://a:26379,b:1/2#main'"})
    void urlsAreRead(String text, String read) {
        assertThat(BusUrl.parse(text)).hasToString(read);
        assertThat(BusUrl.parse(read)).isEqualTo(BusUrl.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "cache", "http://cache", "redis://", "redis://user:pw@cache", "redis://a:0",
        "redis://a:70000", "redis://a,", "redis-sentinel://a", "redis://a#main", "redis://a/x"})
    void invalidUrlsAreRejected(String text) {
        assertThatThrownBy(() -> BusUrl.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                      | sluice.buses.redis.url: missing
            { url = "redis://a,b" }                 | one server, or cluster = true
            { url = "redis://a/1", cluster = true } | without sentinels and database
            { url = "redis://a", username = x }     | password-file: missing
            { url = "redis://a", tls.ca = b }       | tls.ca: b (expected: none, as url is not rediss://)
            { url = "rediss://a", tls.server-name = x } | certificates have the host of url
            """)
    void mistakesAreTold(String bus, String problem) {
        assertThat(new HoconFile(directory).problems(ROUTE + "sluice.buses.redis " + bus))
                .anyMatch(line -> line.contains(problem));
    }
}
