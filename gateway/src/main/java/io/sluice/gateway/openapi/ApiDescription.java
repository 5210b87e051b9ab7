package io.sluice.gateway.openapi;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Ticker;
import io.sluice.config.GatewayConfig;
import io.sluice.handlers.http.Json;
import io.sluice.offload.jdbc.Database;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The OpenAPI document of a site. It is made at the first request for it, and again at one that comes 10 s
 * later, since databases change; on a thread of its own, as it waits for databases. Thread-safe.
 */
public final class ApiDescription {
    private static final long FRESH_NANOS = Duration.ofSeconds(10).toNanos();

    private final GatewayConfig config;
    private final ResultColumns columns;
    private final Ticker clock = Ticker.systemTicker();
    private @Nullable CompletableFuture<byte[]> latest;
    private long madeNanos;

    /** Describes the routes of a configuration and of its databases. */
    public ApiDescription(GatewayConfig config, Map<String, Database> databases) {
        this.config = config;
        columns = new ResultColumns(config, databases);
    }

    /**
     * Returns the members of the document except {@code openapi}, {@code info} and {@code servers}, as a JSON
     * object.
     *
     * @param home any event loop
     */
    synchronized CompletableFuture<byte[]> members(EventExecutor home) {
        boolean isStale = latest == null || latest.isDone()
                && (latest.isCompletedExceptionally() || clock.nanoTime() - madeNanos > FRESH_NANOS);
        if (latest == null || isStale) {
            latest = new CompletableFuture<>();
            madeNanos = clock.nanoTime();
            CompletableFuture<byte[]> made = latest;
            Thread.ofVirtual().name("openapi").start(() -> make(made, home));
        }
        return latest;
    }

    private void make(CompletableFuture<byte[]> made, EventExecutor home) {
        try {
            made.complete(Json.bytes(ApiDocument.of(config, columns.read(home))));
        } catch (Throwable e) {
            made.completeExceptionally(e);
        }
    }
}
