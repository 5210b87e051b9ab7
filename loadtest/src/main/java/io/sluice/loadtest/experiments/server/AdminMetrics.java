package io.sluice.loadtest.experiments.server;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.stream.DoubleStream;

/** The text of a gateway's {@code /metrics} at one moment. */
public record AdminMetrics(String text) {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Requests the metrics of a gateway; blocks. */
    static AdminMetrics at(int adminPort) throws IOException, InterruptedException {
        var url = URI.create("http://127.0.0.1:%d/metrics".formatted(adminPort));
        try (var client = HttpClient.newHttpClient()) {
            var answer = client.send(HttpRequest.newBuilder(url).timeout(PATIENCE)
                    .header("Accept", "text/plain").build(), HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IOException("%s: %d (expected: 200)".formatted(url, answer.statusCode()));
            }
            return new AdminMetrics(answer.body());
        }
    }

    /**
     * The sum of all series with a prefix.
     *
     * @throws IllegalArgumentException if there is none
     */
    public double sum(String series) {
        var values = text.lines().filter(line -> line.startsWith(series))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .toArray();
        if (values.length == 0) {
            throw new IllegalArgumentException("%s: no such series in /metrics".formatted(series));
        }
        return DoubleStream.of(values).sum();
    }
}
