package io.sluice.loadtest.simulations;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Samples a server's resources from its Prometheus metrics at an interval, and computes their growth. The
 * first tenth of the time is left out as warm-up.
 */
final class ServerSamples {

    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(250);
    private static final int SAMPLES = 360;
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final double NANOS_PER_HOUR = Duration.ofHours(1).toNanos();

    private final URI metrics;
    private final Duration length;
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("server-samples").factory());
    private final Map<ServerGauge, Line> lines = new EnumMap<>(ServerGauge.class);
    private long beginning;
    private int taken;
    private int missed;

    private ServerSamples(URI metrics, Duration length) {
        this.metrics = metrics;
        this.length = length;
    }

    /**
     * Samples for a run.
     *
     * @throws UsageException if the server has no metrics
     */
    static ServerSamples of(URI admin, Duration length) {
        var samples = new ServerSamples(admin.resolve("/metrics"), length);
        try {
            samples.read();
            return samples;
        } catch (IOException e) {
            samples.stop();
            throw new UsageException("--admin", admin.toString(), samples.metrics + " to answer: " + e);
        }
    }

    void start() {
        beginning = System.nanoTime();
        var interval = Math.max(SHORTEST_INTERVAL.toNanos(), length.toNanos() / SAMPLES);
        clock.scheduleAtFixedRate(this::take, 0, interval, TimeUnit.NANOSECONDS);
    }

    /** Stops sampling; blocks until a sample that is in progress is complete. */
    void stop() {
        clock.shutdown();
        try {
            clock.awaitTermination(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        client.shutdownNow();
    }

    private synchronized void take() {
        var at = System.nanoTime() - beginning;
        try {
            var text = read();
            taken++;
            if (at >= length.toNanos() / 10) {
                for (var gauge : ServerGauge.values()) {
                    gauge.in(text).ifPresent(value ->
                            lines.computeIfAbsent(gauge, _ -> new Line()).add(at / NANOS_PER_HOUR, value));
                }
            }
        } catch (IOException _) {
            missed++;
        }
    }

    private String read() throws IOException {
        try {
            var answer = client.send(HttpRequest.newBuilder(metrics).timeout(PATIENCE).build(),
                    HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IOException("status " + answer.statusCode());
            }
            return answer.body();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    /** A table of the first and last samples, and of the growth per hour. */
    synchronized List<String> slopes() {
        var table = new ArrayList<String>();
        table.add(String.format(Locale.ROOT, "%-19s%14s%14s%14s%14s",
                "the server's", "first", "last", "highest", "per hour"));
        for (var gauge : ServerGauge.values()) {
            var line = lines.get(gauge);
            table.add(line == null
                    ? String.format(Locale.ROOT, "%-19s%14s", gauge, "not told")
                    : String.format(Locale.ROOT, "%-19s%14s%14s%14s%14s", gauge, gauge.text(line.first()),
                            gauge.text(line.last()), gauge.text(line.highest()),
                            gauge.change(line.slope())));
        }
        table.add(String.format(Locale.ROOT, "%,d samples taken, %,d could not be", taken, missed));
        return table;
    }
}
