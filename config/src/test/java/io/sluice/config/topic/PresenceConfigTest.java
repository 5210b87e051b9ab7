package io.sluice.config.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.HoconFile;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PresenceConfigTest {

    @TempDir
    private Path directory;

    @Test
    void itIsOptionalAndHasDefaults() {
        var topics = new HoconFile(directory).load("sluice.topics { a {}, b { presence {} } }").topics();
        assertThat(topics.get("a").presence()).isEmpty();
        assertThat(topics.get("b").presence()).contains(new PresenceConfig(Duration.ofSeconds(1), 100,
                Duration.ofSeconds(10), Duration.ofSeconds(30)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            { interval = 20s }  | interval: 20s (expected: at most a third of expiry, 30s)
            { expiry = 2s }     | expiry: 2s (expected: at least three times interval, 1s)
            { members = 0 }     | members: 0 (expected: 1..10000)
            null                | routes.p.topics: news (expected: topics with presence, such as presence {})
            """)
    void mistakesAreTold(String presence, String problem) {
        assertThat(new HoconFile(directory).problems("sluice.topics.news.presence = " + presence
                + "\nsluice.routes.p { path = \"/{topic}\", handler = presence, topics = news }"))
                .anyMatch(line -> line.contains(problem) && line.startsWith("main.conf:"));
    }
}
