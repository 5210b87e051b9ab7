package io.sluice.gateway.openapi;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Ticker;
import io.sluice.config.GatewayConfig;
import io.sluice.handlers.json.Json;
import io.sluice.offload.jdbc.Database;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The OpenAPI document of a site. It is made at the first request for it, and again at one that comes 10 s
 * later, since databases change, or 1 s after an incomplete one; on a thread of its own, as it waits for
 * databases. Thread-safe.
 */
public final class ApiDescription {
    private static final long FRESH_NANOS = Duration.ofSeconds(10).toNanos();

    private static final long INCOMPLETE_NANOS = Duration.ofSeconds(1).toNanos();

    private final GatewayConfig config;
    private final DescribedColumns columns;
    private final Ticker clock = Ticker.systemTicker();
    private @Nullable CompletableFuture<Members> latest;
    private long madeNanos;

    /**
     * The members of the document except {@code openapi}, {@code info} and {@code servers}.
     *
     * @param json an object
     * @param hash of the JSON, by SHA-256
     * @param complete whether the results of all routes are known
     */
    record Members(byte[] json, byte[] hash, boolean complete) {
    }

    /** Describes the routes of a configuration and of its databases. */
    public ApiDescription(GatewayConfig config, Map<String, Database> databases) {
        this.config = config;
        columns = new DescribedColumns(config, databases);
    }

    /**
     * Returns the members of the document.
     *
     * @param home any event loop
     */
    synchronized CompletableFuture<Members> members(EventExecutor home) {
        if (latest == null || latest.isDone() && isStale(latest)) {
            latest = new CompletableFuture<>();
            madeNanos = clock.nanoTime();
            CompletableFuture<Members> made = latest;
            Thread.ofVirtual().name("openapi").start(() -> make(made, home));
        }
        return latest;
    }

    private boolean isStale(CompletableFuture<Members> done) {
        return done.isCompletedExceptionally()
                || clock.nanoTime() - madeNanos > (done.join().complete() ? FRESH_NANOS : INCOMPLETE_NANOS);
    }

    private void make(CompletableFuture<Members> made, EventExecutor home) {
        try {
            DescribedColumns.Known results = columns.read(home);
            byte[] json = Json.bytes(ApiDocument.of(config, results));
            made.complete(new Members(json, MessageDigest.getInstance("SHA-256").digest(json),
                    results.unknown().isEmpty()));
        } catch (Throwable e) {
            made.completeExceptionally(e);
        }
    }
}
