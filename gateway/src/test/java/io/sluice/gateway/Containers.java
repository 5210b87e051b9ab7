package io.sluice.gateway;

import static org.junit.jupiter.api.Assumptions.abort;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.testcontainers.DockerClientFactory;

/** What Docker brings up for tests. */
public final class Containers {
    /** Without its images and a registry, Docker is asked in vain for seven. */
    private static final long PATIENCE_MINUTES = 1;

    private Containers() {
    }

    /**
     * What a test needs, brought up within a minute, on a thread of its own; throws an
     * {@link IllegalStateException} that says why not, where Docker does not.
     */
    public static <T> T start(Supplier<T> start) {
        CompletableFuture<T> started = CompletableFuture.supplyAsync(() -> {
            if (!DockerClientFactory.instance().isDockerAvailable()) {
                throw new IllegalStateException("no Docker engine answers");
            }
            return start.get();
        }, task -> Thread.ofPlatform().daemon().start(task));
        try {
            return started.get(PATIENCE_MINUTES, TimeUnit.MINUTES);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause().getMessage(), e.getCause());
        } catch (TimeoutException | InterruptedException e) {
            throw new IllegalStateException("Docker has brought nothing up within a minute", e);
        }
    }

    /** The same, but skips the test where Docker does not bring it up, and says so. */
    public static <T> T startOrSkip(Supplier<T> start) {
        try {
            return start(start);
        } catch (IllegalStateException e) {
            return skip(e.getMessage());
        }
    }

    /** Skips the test, and says so; fails it where {@code SLUICE_CONTAINERS=required}. */
    public static <T> T skip(String why) {
        if ("required".equals(System.getenv("SLUICE_CONTAINERS"))) {
            throw new AssertionError("SLUICE_CONTAINERS=required, and: " + why);
        }
        System.out.println("SKIPPED, no containers: " + why);
        return abort(why);
    }
}
