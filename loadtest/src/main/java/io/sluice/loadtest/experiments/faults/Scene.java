package io.sluice.loadtest.experiments.faults;

import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.server.Confinement;
import io.sluice.loadtest.experiments.server.ServerProcess;
import io.sluice.loadtest.experiments.server.Variant;
import io.sluice.loadtest.experiments.site.TargetSite;
import io.sluice.loadtest.experiments.wire.Onslaught;
import io.sluice.loadtest.experiments.wire.Squad;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One or more gateways, their databases, and a constant load of requests. */
public final class Scene implements AutoCloseable {

    /** Little direct memory, so that some clients can use it up, and 1,024 descriptors. */
    private static final Confinement CONFINEMENT = new Confinement(
            List.of("-Xmx256m", "-XX:MaxDirectMemorySize=32m"), 1_024, Optional.empty());
    private static final double RATE = 120;

    private final Databases databases;
    private final TargetSite site;
    /** For what the gateways write: logs, and responses that clients do not read. */
    private final SmallDisk disk;
    private final List<Path> logs = new ArrayList<>();
    private final List<ServerProcess> gateways = new ArrayList<>();
    private final Balancer balancer;
    private final OpenRequests requests;
    private @Nullable Onslaught onslaught;

    /** Starts gateways; the load starts at once. */
    public Scene(Workbench bench, Databases databases, int gateways)
            throws IOException, InterruptedException {
        this.databases = databases;
        site = TargetSite.of(databases.url(), bench.jar());
        disk = SmallDisk.create();
        // Each request is logged, so that a log that cannot be written is noticed.
        var variant = new Variant("faults", Map.of("sluice.offload.pools.work.deadline", "2s",
                "sluice.log.access", "all", "sluice.offload.spill.directory", disk.directory().toString()));
        try {
            for (int n = 0; n < gateways; n++) {
                var log = Files.createTempFile(disk.directory(), "sluice-experiment-", ".log");
                logs.add(log);
                this.gateways.add(bench.start(site.config(), variant, CONFINEMENT.loggingTo(log)));
            }
        } catch (IOException | InterruptedException | RuntimeException e) {
            closeServers();
            throw e;
        }
        balancer = new Balancer(this.gateways.stream()
                .map(gateway -> new Backend(gateway.plainPort()))
                .toList());
        requests = new OpenRequests(balancer, RATE);
    }

    Databases databases() {
        return databases;
    }

    /** The gateway that process faults are injected into. */
    public ServerProcess gateway() {
        return gateways.getFirst();
    }

    /** Counts requests in a new tally from now on; returns the previous one. */
    public Tally nextTally() {
        return requests.next();
    }

    long repeated() {
        return balancer.repeated();
    }

    /** Starts the clients of an attack or fault, until {@link #relieve}. */
    void beset(Squad squad) {
        onslaught = Onslaught.of(gateway().plainPort(), List.of(squad));
    }

    void relieve() throws IOException {
        if (onslaught != null) {
            onslaught.close();
        }
    }

    /** Lets each write to a file fail, until {@link #clearDisk}. */
    void fillDisk() throws IOException, InterruptedException {
        if (disk.mounted()) {
            disk.fill();
        } else {
            gateway().limit("fsize", "0");
        }
    }

    void clearDisk() throws IOException, InterruptedException {
        if (disk.mounted()) {
            disk.clear();
        } else {
            gateway().limit("fsize", "unlimited");
        }
    }

    /** How a disk is filled here. */
    String fullDisk() {
        return disk.mounted()
                ? "a small file system, for the log and for large answers, that another program has filled "
                        + "(ENOSPC)"
                : "a limit of 0 on the size of the process's files, its log's among them (EFBIG), as no file "
                        + "system could be mounted";
    }

    /** Empties the logs of the gateways: an attack writes some megabytes. */
    public void emptyLogs() throws IOException {
        for (var log : logs) {
            Files.write(log, new byte[0]); // the gateways append to the file
        }
    }

    private void closeServers() throws IOException {
        gateways.forEach(ServerProcess::close);
        site.close();
        for (var log : logs) {
            Files.deleteIfExists(log);
        }
        disk.close();
    }

    @Override
    public void close() throws IOException {
        requests.close();
        balancer.close();
        closeServers();
    }
}
