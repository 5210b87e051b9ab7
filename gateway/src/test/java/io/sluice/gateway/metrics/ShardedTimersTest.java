package io.sluice.gateway.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class ShardedTimersTest {
    @AutoClose
    private final Meters meters = new Meters();

    private static void record(MeterRegistry shard, String uri, int... millis) {
        for (int time : millis) {
            Meters.request(shard, "GET", uri, "200", "SUCCESS").record(Duration.ofMillis(time));
        }
    }

    private List<String> scraped() throws IOException {
        var out = new ByteArrayOutputStream();
        meters.scrape(out, "");
        return out.toString(StandardCharsets.UTF_8).lines()
                .filter(line -> line.contains("http_server_requests")).toList();
    }

    private static String metric(String suffix, String more, String uri, String value) {
        return ("http_server_requests_seconds%s{method=\"GET\",outcome=\"SUCCESS\",status=\"200\","
                + "uri=\"%s\"%s} %s")
                .formatted(suffix, uri, more, value);
    }

    @Test
    void unusedTimersAreNotScraped() throws IOException {
        meters.requestShard();

        assertThat(scraped()).isEmpty();
    }

    @Test
    void shardsAreMergedForAScrape() throws IOException {
        MeterRegistry one = meters.requestShard();
        MeterRegistry other = meters.requestShard();
        record(one, "/both", 3, 30);
        record(other, "/both", 40, 2_000);
        record(other, "/other", 7);

        List<String> lines = scraped();

        assertThat(lines).doesNotHaveDuplicates().contains(
                metric("_count", "", "/both", "4"),
                metric("_sum", "", "/both", "2.073"),
                metric("_max", "", "/both", "2.0"),
                metric("_bucket", ",le=\"0.005\"", "/both", "1"),
                metric("_bucket", ",le=\"0.05\"", "/both", "3"),
                metric("_bucket", ",le=\"+Inf\"", "/both", "4"),
                metric("_count", "", "/other", "1"),
                metric("_bucket", ",le=\"0.01\"", "/other", "1"));
        assertThat(lines).filteredOn(line -> line.startsWith("# TYPE")).hasSize(2);
    }
}
