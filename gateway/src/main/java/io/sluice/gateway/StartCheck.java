package io.sluice.gateway;

import io.sluice.config.problem.ConfigProblem;
import io.sluice.config.problem.ConfigProblems;
import io.sluice.config.read.LoadedConfig;
import io.sluice.offload.jdbc.Database;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the statements of each database once, on a thread of its own, when the database is first reachable
 * after the start. Mistakes are logged only: a table may be created later.
 */
final class StartCheck implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(StartCheck.class);
    private static final long LOOK_MILLIS = 500;
    private static final long CLOSE_MILLIS = 2_000;

    private final DatabaseCheck check;
    private final Map<String, Database> databases;
    private final Thread thread = Thread.ofPlatform().name("statement-check").daemon().unstarted(this::run);

    private StartCheck(LoadedConfig loaded, Map<String, Database> databases) {
        check = new DatabaseCheck(loaded);
        this.databases = databases;
    }

    /** Starts the check of the databases of a configuration; does not block. */
    static StartCheck start(LoadedConfig loaded, Map<String, Database> databases) {
        var started = new StartCheck(loaded, Map.copyOf(databases));
        started.thread.start();
        return started;
    }

    private void run() {
        Set<String> left = new HashSet<>(databases.keySet());
        try {
            while (true) {
                left.removeIf(this::checkIfReachable);
                if (left.isEmpty()) {
                    return;
                }
                Thread.sleep(LOOK_MILLIS); // a thread of its own, while a database is unreachable
            }
        } catch (InterruptedException e) {
            log.debug("the gateway stops before its statements are checked", e);
        } catch (RuntimeException e) {
            log.warn("statements were not checked", e);
        }
    }

    /** Checks the statements of a database, and logs mistakes; returns false if it is unreachable. */
    private boolean checkIfReachable(String database) {
        if (!Resources.named(database, databases).reachable()) {
            return false;
        }
        var problems = new ConfigProblems();
        check.addTo(problems, database);
        for (ConfigProblem problem : problems.toException().problems()) {
            log.warn("check of statements: {}", problem);
        }
        return true;
    }

    /** Waits 2 s at most for a check that is running. */
    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
