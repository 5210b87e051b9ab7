package io.sluice.loadtest.experiments.hostile;

import io.sluice.loadtest.experiments.driver.Arrivals;
import io.sluice.loadtest.experiments.driver.Load;
import io.sluice.loadtest.experiments.driver.Request;
import io.sluice.loadtest.experiments.server.ServerProcess;
import io.sluice.loadtest.experiments.site.TargetSite;
import java.util.Locale;
import java.util.concurrent.TimeoutException;

/** A well-behaved client, by the resource that it requests and that attacks aim at. */
enum Neighbour {
    /** A text, served on the event loop. */
    HELLO(TargetSite.HELLO),
    /** A row by its key. */
    ROW(TargetSite.ROWS + 7),
    /** A file that the kernel sends. */
    FILE(TargetSite.file(TargetSite.FILE_SIZES.getLast()));

    /** Requests per second. */
    static final int RATE = 100;
    private static final int CONNECTIONS = 8;

    private final Request request;

    Neighbour(String path) {
        request = Request.get(toString(), path);
    }

    /** Starts the client's open loop, which runs until it is closed. */
    Load load(ServerProcess gateway) throws TimeoutException, InterruptedException {
        return Load.open(gateway.plainPort(), CONNECTIONS, Arrivals.steady(RATE), () -> request);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
