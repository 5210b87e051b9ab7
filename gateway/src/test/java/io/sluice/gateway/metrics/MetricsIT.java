package io.sluice.gateway.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.tls.TestCertificates;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetricsIT {
    private static final int UNKNOWN_PATHS = 1000;
    private static RunningGateway gateway;

    @BeforeAll
    static void start() {
        gateway = RunningGateway.demo();
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    @Test
    void metersRequestsByTemplate() throws Exception {
        gateway.get("/customers/1");
        gateway.get("/customers/2");
        gateway.get("/customers/0");

        await().untilAsserted(() -> assertThat(metric("http_server_requests_seconds_count"))
                .contains("http_server_requests_seconds_count{method=\"GET\",outcome=\"SUCCESS\","
                        + "status=\"200\",uri=\"/customers/{id}\"} 2")
                .contains("http_server_requests_seconds_count{method=\"GET\",outcome=\"CLIENT_ERROR\","
                        + "status=\"404\",uri=\"/customers/{id}\"} 1"));
        assertThat(metric("http_server_requests_seconds_bucket"))
                .filteredOn(line -> line.contains("404") && line.contains("{id}"))
                .extracting(line -> line.replaceAll(".*le=\"([^\"]*)\".*", "$1"))
                .containsExactly("0.005", "0.01", "0.025", "0.05", "0.075", "0.1", "0.25", "0.5", "0.75",
                        "1.0", "2.5", "5.0", "7.5", "10.0", "+Inf");
    }

    @Test
    void unknownPathsAndMethodsAddNoTimeSeries() throws Exception {
        try (RawClient client = gateway.connect()) {
            client.send("GET /first HTTP/1.1\r\nHost: a\r\n\r\n").read();
            client.send("DELETE /first HTTP/1.1\r\nHost: a\r\n\r\n").read();
            long before = series();
            for (int i = 0; i < UNKNOWN_PATHS; i++) {
                client.send("%s /%d/x?y=%d HTTP/1.1\r\nHost: a\r\n\r\n"
                        .formatted(i % 2 == 0 ? "GET" : "DELETE", i, i));
                assertThat(client.read().status()).isEqualTo(404);
            }

            assertThat(series()).isEqualTo(before);
        }
        for (int i = 0; i < 20; i++) {
            try (RawClient client = gateway.connect()) {
                client.send("METHOD" + i + " / HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(client.read().status()).isEqualTo(405);
            }
        }
        assertThat(metric("http_server_requests_seconds_count")).filteredOn(line -> line.contains("405"))
                .singleElement().asString().contains("method=\"UNKNOWN\"", "uri=\"UNKNOWN\"");
    }

    /** Returns the number of series, without the JVM's: each new cause of a garbage collection adds some. */
    private static long series() throws Exception {
        return scrape().stream().filter(line -> !line.startsWith("jvm_")).count();
    }

    @Test
    void showsMetersOfPoolsLoopsDatabaseAndJvm() throws Exception {
        gateway.get("/benchmark/jdbc?ms=1");
        // The worker becomes free a moment after its answer is sent.
        await().until(() -> scrape().contains("sluice_offload_busy{pool=\"jdbc\"} 0.0"));

        assertThat(scrape())
                .contains("sluice_offload_workers{pool=\"jdbc\"} 10.0")
                .contains("sluice_offload_refused_total{pool=\"jdbc\",reason=\"queue_full\"} 0.0")
                .contains("hikaricp_connections_max{pool=\"sample\"} 10.0")
                .anyMatch(line -> line.startsWith("sluice_offload_run_time_seconds_bucket{pool=\"jdbc\""))
                .anyMatch(line -> line.startsWith("sluice_offload_capacity{pool=\"jdbc\"}"))
                .anyMatch(line -> line.startsWith("sluice_event_loop_lag_seconds_count{loop=\"0\"}"))
                .anyMatch(line -> line.startsWith(
                        "sluice_event_loop_task_seconds_bucket{loop=\"0\",le=\"0.005\"}"))
                .anyMatch(line -> line.startsWith("netty_allocator_memory_used"))
                .anyMatch(line -> line.startsWith("netty_eventexecutor_tasks_pending"))
                .anyMatch(line -> line.startsWith("jvm_memory_used_bytes"))
                .anyMatch(line -> line.startsWith("process_resident_memory_bytes "))
                .anyMatch(line -> line.startsWith("process_cpu_seconds_total"));
    }

    /** See RFC 9110 section 12.5.1. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            application/openmetrics-text;version=1.0.0,text/plain;q=0.5          | openmetrics
            Application/OpenMetrics-Text                                         | openmetrics
            application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,\
            application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;q=0.4,\
            text/plain;version=0.0.4;q=0.3,*/*;q=0.2                             | openmetrics
            text/plain;version=0.0.4, application/openmetrics-text;q=0           | text
            text/plain;q=0.9, application/openmetrics-text;q=0.1                 | text
            */*                                                                  | text
            """)
    void openMetricsFormatIsNegotiated(String accept, String format) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + gateway.adminPort() + "/metrics"));
        for (String element : accept.split(", ")) { // a line each
            request.header("Accept", element);
        }
        var answer = gateway.send(request);

        boolean open = format.equals("openmetrics");
        assertThat(answer.headers().firstValue("content-type").orElseThrow())
                .startsWith(open ? "application/openmetrics-text" : "text/plain");
        assertThat(answer.headers().firstValue("vary")).hasValue("accept");
        assertThat(answer.body().endsWith("# EOF\n")).isEqualTo(open);
    }

    /** An alert on the date must not fire where there is no certificate. */
    @Test
    void certificatesAreMeteredWhileTheyAreInUse(@TempDir Path folder) throws Exception {
        assertThat(scrape()).contains("sluice_tls_certificate_expiry_seconds NaN",
                "sluice_tls_certificates_stale 0.0");
        try (RunningGateway secure = RunningGateway.start("sluice.tls { reload-interval = 100ms, %s }"
                .formatted(TestCertificates.write(folder, "a", TestCertificates.LOCALHOST)))) {
            assertThat(scrape(secure)).anyMatch(line ->
                    line.matches("sluice_tls_certificate_expiry_seconds 1\\.[0-9]+E9"));
            TestCertificates.write(folder.resolve("a.crt"), "");
            await().untilAsserted(() ->
                    assertThat(scrape(secure)).contains("sluice_tls_certificates_stale 1.0"));

            secure.reload("");

            assertThat(scrape(secure)).contains("sluice_tls_certificate_expiry_seconds NaN",
                    "sluice_tls_certificates_stale 0.0");
        }
    }

    /** Streams and polls of the gateway, and a stream that it relays, are no slow requests. */
    @Test
    void theTimeOfAStreamEndsAtItsBeginning() throws Exception {
        try (RunningGateway origin = RunningGateway.start("""
                sluice { topics.t {}, routes.events { path = "/{topic}", handler = events, topics = t } }
                """);
                RunningGateway streams = RunningGateway.start("""
                sluice {
                  upstreams.origin.endpoints = ["http://127.0.0.1:%d"]
                  topics.t {}
                  routes {
                    proxied { path = "/a", handler = proxy, upstream = origin }
                    own { path = "/own/{topic}", handler = events, topics = t }
                    poll { path = "/poll/{topic}", handler = events, topics = t, poll-wait = 2s }
                  }
                }
                """.formatted(origin.port()));
                RawClient proxied = streams.connect();
                RawClient own = streams.connect()) {
            for (RawClient client : List.of(proxied, own)) {
                client.send("GET %s HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n"
                        .formatted(client == own ? "/own/a" : "/a"));
                assertThat(client.readHead().status()).isEqualTo(200);
            }
            String last = streams.get("/poll/a").body().replaceAll(".*\"last\":\"(.*)\".*", "$1");
            assertThat(streams.get("/poll/a?after=" + last).body()).contains(last); // after two seconds
            proxied.socket().close();
            own.socket().close();

            await().untilAsserted(() -> assertThat(metric(streams, "http_server_requests_seconds_count"))
                    .hasSize(3));
            assertThat(metric(streams, "http_server_requests_seconds_bucket"))
                    .filteredOn(line -> line.contains("le=\"1.0\"")).hasSize(3)
                    .allMatch(line -> line.endsWith(line.contains("/poll/") ? " 2" : " 1"));
        }
    }

    private static List<String> scrape() throws Exception {
        return scrape(gateway);
    }

    private static List<String> scrape(RunningGateway of) throws Exception {
        return of.getAdmin("/metrics").body().lines().filter(line -> !line.startsWith("#")).toList();
    }

    private static List<String> metric(String name) throws Exception {
        return metric(gateway, name);
    }

    private static List<String> metric(RunningGateway of, String name) throws Exception {
        return scrape(of).stream().filter(line -> line.startsWith(name + '{')).toList();
    }
}
