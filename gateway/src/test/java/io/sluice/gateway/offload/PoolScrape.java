package io.sluice.gateway.offload;

import io.sluice.gateway.RawClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** What a gateway's {@code /metrics} say of one offload pool. */
public record PoolScrape(int adminPort, String pool) {

    int busy() {
        return (int) sum("sluice_offload_busy");
    }

    int queued() {
        return (int) sum("sluice_offload_queued");
    }

    /** Tasks that were given up, in the queue and at work. */
    int cancelled() {
        return (int) sum("sluice_offload_cancelled_total");
    }

    int cancelledAtWork() {
        return (int) sum("sluice_offload_cancelled_total", "state=\"running\"");
    }

    int refused() {
        return (int) sum("sluice_offload_refused_total");
    }

    int refusedFor(String reason) {
        return (int) sum("sluice_offload_refused_total", "reason=\"" + reason + '"');
    }

    double ran() {
        return sum("sluice_offload_run_time_seconds_count");
    }

    /** Whether no task runs and none waits. */
    public boolean isIdle() {
        List<String> lines = scrape();
        return sum(lines, "sluice_offload_busy", "") == 0 && sum(lines, "sluice_offload_queued", "") == 0;
    }

    /** Connections of the database of the same name. */
    int connections() {
        return (int) sum("hikaricp_connections");
    }

    /** Connections that have ever been made to it. */
    int connectionsMade() {
        return (int) sum("hikaricp_connections_creation_seconds_count");
    }

    private double sum(String meter) {
        return sum(meter, "");
    }

    private double sum(String meter, String tag) {
        return sum(scrape(), meter, tag);
    }

    /** Fails where there is no such meter. */
    private double sum(List<String> lines, String meter, String tag) {
        List<String> found = lines.stream().filter(line -> line.startsWith(meter + '{')
                && line.contains("pool=\"" + pool + '"') && line.contains(tag)).toList();
        if (found.isEmpty()) {
            throw new AssertionError("no " + meter + " of pool " + pool + " with " + tag);
        }
        return found.stream().mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    private List<String> scrape() {
        try (var client = new RawClient(adminPort)) {
            return client.send("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n").read().body().lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
