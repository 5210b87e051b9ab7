package io.sluice.loadtest.experiments.hostile;

import io.sluice.loadtest.experiments.driver.Arrivals;
import io.sluice.loadtest.experiments.driver.Load;
import io.sluice.loadtest.experiments.driver.Request;
import io.sluice.loadtest.experiments.server.ServerProcess;
import io.sluice.loadtest.experiments.site.TargetSite;
import java.util.Locale;
import java.util.concurrent.TimeoutException;

/** A client that attacks nobody, by what it asks for: the thing that an attack means to take away. */
enum Neighbour {
    /** A text from the event loop. */
    HELLO(TargetSite.HELLO),
    /** A row by its key. */
    ROW(TargetSite.ROWS + 7),
    /** A file that the kernel sends. */
    FILE(TargetSite.file(TargetSite.FILE_SIZES.getLast()));

    /** In a second. */
    static final int RATE = 100;
    private static final int CONNECTIONS = 8;

    private final Request request;

    Neighbour(String path) {
        request = Request.get(toString(), path);
    }

    /** Its open loop, which goes on until it is closed. */
    Load load(ServerProcess gateway) throws TimeoutException, InterruptedException {
        return Load.open(gateway.port(), CONNECTIONS, Arrivals.steady(RATE), () -> request);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
