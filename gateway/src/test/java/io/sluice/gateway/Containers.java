package io.sluice.gateway;

import static org.junit.jupiter.api.Assumptions.abort;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.testcontainers.DockerClientFactory;

/** Starts containers for tests, where Docker is available. */
public final class Containers {
    /** Testcontainers tries for seven minutes if Docker has neither the image nor a registry. */
    private static final long PATIENCE_MINUTES = 1;

    private Containers() {
    }

    /**
     * Starts a container on a thread of its own, and waits for it for a minute.
     *
     * @throws IllegalStateException with the reason, if Docker does not start it
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

    /**
     * Does the same as {@link #start}, but skips the test, with a line on the console, if Docker does not
     * start it.
     */
    public static <T> T startOrSkip(Supplier<T> start) {
        try {
            return start(start);
        } catch (IllegalStateException e) {
            return skip(e.getMessage());
        }
    }

    /** Skips the test with a line on the console; fails it if {@code SLUICE_CONTAINERS=required}. */
    public static <T> T skip(String why) {
        if ("required".equals(System.getenv("SLUICE_CONTAINERS"))) {
            throw new AssertionError("SLUICE_CONTAINERS=required, and: " + why);
        }
        System.out.println("SKIPPED, no containers: " + why);
        return abort(why);
    }

    /**
     * Skips the test with a line on the console, even if containers are required: a program of a package
     * cannot be had everywhere.
     *
     * @param remedy how to get it
     */
    public static <T> T skipProgram(String remedy) {
        System.out.println("SKIPPED, not installed: " + remedy);
        return abort(remedy);
    }
}
