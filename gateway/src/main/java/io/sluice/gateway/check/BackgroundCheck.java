package io.sluice.gateway.check;

import io.sluice.config.DatabaseConfig;
import io.sluice.config.HandlerConfig;
import io.sluice.config.RouteConfig;
import io.sluice.config.problem.ConfigProblem;
import io.sluice.config.problem.ConfigProblems;
import io.sluice.config.read.LoadedConfig;
import io.sluice.config.type.PathTemplate;
import io.sluice.offload.jdbc.Database;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the statements of each database once, on a thread of its own, when the database is reachable: all
 * after the start, and those of new and changed routes after a reload. Mistakes are logged only: a table may
 * be created later. Thread-safe.
 */
public final class BackgroundCheck implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(BackgroundCheck.class);
    private static final long CHECK_MILLIS = 500;
    private static final long CLOSE_MILLIS = 2_000;

    private final ExecutorService thread = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("statement-check").daemon().factory());
    /** The routes that have been checked, by their names. Only used on the thread. */
    private final Map<String, Subject> checked = new HashMap<>();
    private CountDownLatch cancelled = new CountDownLatch(1);

    /** All that the result of a route's check depends on. */
    private record Subject(PathTemplate path, HandlerConfig.Query query, DatabaseConfig database) {
    }

    /** Cancels the check that is running, and starts that of a configuration; does not block. */
    public synchronized void start(LoadedConfig loaded, Map<String, Database> databases) {
        cancelled.countDown();
        cancelled = new CountDownLatch(1);
        var run = new Run(loaded, Map.copyOf(databases), cancelled);
        thread.execute(run::run);
    }

    /** The check of one configuration. A driver is never interrupted: H2 would close its file. */
    private final class Run {
        private final LoadedConfig loaded;
        private final DatabaseCheck check;
        private final Map<String, Database> databases;
        private final CountDownLatch end;
        /** The number of checks for which a database had no connection. Each doubles the wait, to 64 s. */
        private int refused;

        Run(LoadedConfig loaded, Map<String, Database> databases, CountDownLatch end) {
            this.loaded = loaded;
            check = new DatabaseCheck(loaded);
            this.databases = databases;
            this.end = end;
        }

        void run() {
            checked.keySet().retainAll(loaded.config().routes().keySet());
            Set<String> left = new HashSet<>(databases.keySet());
            try {
                do {
                    left.removeIf(this::checkIfReachable);
                } while (!left.isEmpty()
                        && !end.await(CHECK_MILLIS << Math.min(refused, 7), TimeUnit.MILLISECONDS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                log.warn("statements were not checked", e);
            }
        }

        /** Checks the statements of a database, and logs mistakes; returns false if it has no connection. */
        private boolean checkIfReachable(String database) {
            Map<String, Subject> subjects = subjects(database);
            if (subjects.isEmpty() || isCancelled()) {
                return true;
            }
            if (!Objects.requireNonNull(databases.get(database)).reachable()) {
                return false;
            }
            var problems = new ConfigProblems();
            if (!check.addTo(problems, database, route -> subjects.containsKey(route) && !isCancelled())) {
                if (refused++ == 0) {
                    log.warn("the statements of database {} wait to be checked: {}", database,
                            problems.toException().getMessage());
                }
                return false;
            }
            if (!isCancelled()) {
                checked.putAll(subjects);
                for (ConfigProblem problem : problems.toException().problems()) {
                    log.warn("check of statements: {}", problem);
                }
            }
            return true;
        }

        private boolean isCancelled() {
            return end.getCount() == 0;
        }

        /** Returns the routes of a database that have not been checked as they are. */
        private Map<String, Subject> subjects(String database) {
            var subjects = new HashMap<String, Subject>();
            DatabaseConfig config = Objects.requireNonNull(loaded.config().databases().get(database));
            for (Map.Entry<String, RouteConfig> route : loaded.config().routes().entrySet()) {
                if (route.getValue().handler() instanceof HandlerConfig.Query query
                        && query.database().equals(database)) {
                    var subject = new Subject(route.getValue().path(), query, config);
                    if (!subject.equals(checked.get(route.getKey()))) {
                        subjects.put(route.getKey(), subject);
                    }
                }
            }
            return subjects;
        }
    }

    /** Waits 2 s at most for a check that is running. */
    @Override
    public synchronized void close() {
        cancelled.countDown();
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_MILLIS, TimeUnit.MILLISECONDS)) {
                log.debug("the gateway stops before its statements are checked");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
