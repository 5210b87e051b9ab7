package io.sluice.gateway.offload;

import io.sluice.gateway.RawClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** The meters of an offload pool, read from a gateway's {@code /metrics}. */
public record PoolScrape(int adminPort, String pool) {

    public int busy() {
        return (int) sum("sluice_offload_busy");
    }

    public int queued() {
        return (int) sum("sluice_offload_queued");
    }

    /** Returns the number of tasks cancelled in the queue or at work. */
    public int cancelled() {
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

    /** Returns whether no task runs or waits. */
    public boolean isIdle() {
        List<String> lines = scrape();
        return sum(lines, "sluice_offload_busy", "") == 0 && sum(lines, "sluice_offload_queued", "") == 0;
    }

    /** Returns the number of connections to the database of the same name. */
    int connections() {
        return (int) sum("hikaricp_connections");
    }

    /** Returns the number of connections ever opened to that database. */
    int connectionsMade() {
        return (int) sum("hikaricp_connections_creation_seconds_count");
    }

    private double sum(String meter) {
        return sum(meter, "");
    }

    private double sum(String meter, String tag) {
        return sum(scrape(), meter, tag);
    }

    /** Returns the sum over the matching meters; fails if there is none. */
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
