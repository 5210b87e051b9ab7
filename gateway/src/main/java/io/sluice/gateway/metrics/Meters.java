package io.sluice.gateway.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.logging.LogbackMetrics;
import io.micrometer.core.instrument.binder.netty4.NettyAllocatorMetrics;
import io.micrometer.core.instrument.binder.netty4.NettyEventExecutorMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.channel.EventLoopGroup;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.sluice.gateway.lifecycle.Health;
import io.sluice.gateway.limits.ConnectionLimits;
import io.sluice.gateway.limits.ConnectionLimits.Reason;
import io.sluice.gateway.limits.DirectMemory;
import io.sluice.gateway.limits.RequestMemory;
import io.sluice.gateway.net.Connections;
import io.sluice.gateway.net.Transport;
import io.sluice.gateway.net.TunnelCounts;
import io.sluice.gateway.tls.TlsObserver;
import io.sluice.handlers.SlowReaderMemory;
import io.sluice.offload.spill.SpillSpace;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Registers the meters of the process, and publishes all meters. Those of a resource are in a
 * {@link MeterScope}.
 */
public final class Meters implements AutoCloseable {
    /** The buckets that are usual for HTTP timers of Micrometer. */
    private static final Duration[] BUCKETS = millis(5, 10, 25, 50, 75, 100, 250, 500, 750, 1000, 2500, 5000,
            7500, 10_000);
    static final Duration[] FINE_BUCKETS = millis(1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500,
            5000, 10_000);

    private final CoarseClock clock = new CoarseClock();
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT,
            new PrometheusRegistry(), clock);
    private final ShardedTimers requests = new ShardedTimers(clock);
    private final JvmGcMetrics gc = new JvmGcMetrics();
    private final LogbackMetrics logback = new LogbackMetrics();

    /** Creates a registry with the meters of the JVM, the process and Netty's allocator. */
    public Meters() {
        registry.config().meterFilter(new PrometheusConventions());
        registry.getPrometheusRegistry().register(requests);
        new JvmMemoryMetrics().bindTo(registry);
        gc.bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        FunctionCounter.builder("process.cpu", ProcessHandle.current(), Meters::cpuSeconds)
                .baseUnit("seconds").description("Processor time used by this process").register(registry);
        Gauge.builder("process.resident.memory", Meters::residentBytes).baseUnit("bytes")
                .description("Memory of this process as Linux counts it: heap, buffers, code and all")
                .register(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        logback.bindTo(registry);
        new NettyAllocatorMetrics(Transport.ALLOCATOR).bindTo(registry);
        Gauge.builder("sluice.direct.memory.reserved", DirectMemory.ofProcess()::reserved).baseUnit("bytes")
                .description("Direct memory reserved by the pool of buffers, and native memory of codings")
                .register(registry);
        Gauge.builder("sluice.direct.memory.used", DirectMemory.ofProcess()::used).baseUnit("bytes")
                .description("Direct memory in use by buffers, and native memory of codings")
                .register(registry);
        Gauge.builder("sluice.direct.memory.limit", DirectMemory.ofProcess()::limit).baseUnit("bytes")
                .description("Limit of direct memory").register(registry);
        Gauge.builder("sluice.request.memory.used", RequestMemory::counted).baseUnit("bytes")
                .description("Heap for heads, HTTP/2 streams and ws-rpc beyond 4 KiB of a connection")
                .register(registry);
        Gauge.builder("sluice.request.memory.limit", RequestMemory::limit).baseUnit("bytes")
                .description("Limit of the heap for these").register(registry);
        Gauge.builder("sluice.topics.waiting", SlowReaderMemory.OF_PROCESS::bytes).baseUnit("bytes")
                .description("Messages of topics that wait for slow readers").register(registry);
    }

    private static double cpuSeconds(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
    }

    /** NaN if there is no {@code /proc}. */
    private static double residentBytes() {
        try (var lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) * 1_024)
                    .findFirst().orElse(Double.NaN);
        } catch (IOException | UncheckedIOException _) {
            return Double.NaN;
        }
    }

    /** Creates the meters of a resource, not published yet. */
    public MeterScope scope() {
        return new MeterScope(registry, clock);
    }

    /**
     * Writes all published meters.
     *
     * @param contentType the media type of OpenMetrics, or of the Prometheus text format
     */
    public void scrape(OutputStream out, String contentType) throws IOException {
        registry.scrape(out, contentType);
    }

    /** Creates a registry for {@link #request} that only one thread writes to. */
    MeterRegistry requestShard() {
        return requests.shard();
    }

    /** Returns the timer {@code http.server.requests}: the duration of requests. */
    static Timer request(MeterRegistry shard, String method, String uri, String status, String outcome) {
        return Timer.builder("http.server.requests")
                .description("Requests, from head to end of response, or to its beginning if it is a stream")
                .tags("method", method, "uri", uri, "status", status, "outcome", outcome)
                .serviceLevelObjectives(BUCKETS).register(shard);
    }

    /**
     * Returns the timer {@code http.client.requests}: the last attempt of proxied requests. It has no
     * buckets.
     */
    static Timer proxied(MeterRegistry shard, String method, String uri, String status, String outcome) {
        return Timer.builder("http.client.requests")
                .description("Last attempts of requests to upstreams, to the end of the response")
                .tags("method", method, "uri", uri, "status", status, "outcome", outcome).register(shard);
    }

    /** Returns the wall time in ms since 1970, updated some times a second. */
    public LongSupplier clock() {
        return clock::wallTime;
    }

    /** Updates the clock; called some times a second, by any thread. */
    void tick() {
        clock.tick();
    }

    /**
     * The timer {@code sluice.event.loop.lag}: how long an event loop takes to run a task that was submitted
     * to it.
     */
    Timer lag(String loop) {
        return Timer.builder("sluice.event.loop.lag").description("Time until a submitted task runs")
                .tag("loop", loop).serviceLevelObjectives(FINE_BUCKETS).register(registry);
    }

    /**
     * Adds the meters of an event loop group: its tasks, the pending ones, and the connections that it
     * serves.
     */
    public void bind(EventLoopGroup group, Connections connections) {
        new NettyEventExecutorMetrics(group).bindTo(registry);
        registry.getPrometheusRegistry().register(new LoopTaskHistogram(group));
        Gauge.builder("sluice.connections", connections, Connections::count)
                .description("Open client connections").register(registry);
        TunnelCounts tunnels = connections.tunnels();
        Gauge.builder("sluice.tunnels", tunnels, TunnelCounts::open)
                .description("Open connections and streams of other protocols, such as WebSockets")
                .register(registry);
        FunctionCounter.builder("sluice.tunnels.opened", tunnels, TunnelCounts::opened)
                .description("Connections and streams that another protocol has taken over")
                .register(registry);
        tunnelBytes("in", tunnels, TunnelCounts::bytesIn);
        tunnelBytes("out", tunnels, TunnelCounts::bytesOut);
    }

    private void tunnelBytes(String direction, TunnelCounts tunnels, ToDoubleFunction<TunnelCounts> count) {
        FunctionCounter.builder("sluice.tunnels.bytes", tunnels, count).baseUnit("bytes")
                .description("Bytes of tunnels, frames of their protocols included")
                .tag("direction", direction).register(registry);
    }

    /** Adds the meter of the gateway's readiness. */
    public void bind(Health health) {
        Gauge.builder("sluice.ready", health, of -> of.ready() ? 1 : 0)
                .description("1 if /readyz is 200, else 0").register(registry);
    }

    /** Adds the meters of the connection limit and of rejected connections. */
    public void bind(ConnectionLimits limits) {
        Gauge.builder("sluice.connections.limit", limits, ConnectionLimits::limit)
                .description("Limit of open client connections").register(registry);
        for (Reason reason : Reason.values()) {
            FunctionCounter.builder("sluice.connections.rejected", limits, all -> all.rejected(reason))
                    .description("Client connections closed before their first request")
                    .tag("reason", reason.tag()).register(registry);
        }
    }

    /** Adds the meters of the disk space for uploads, and for responses that are read slowly. */
    public void bind(SpillSpace space) {
        Gauge.builder("sluice.spill.used", space, SpillSpace::used).baseUnit("bytes")
                .description("Disk space that responses and uploads occupy").register(registry);
        FunctionCounter.builder("sluice.spill.begun", space, SpillSpace::begun)
                .description("Responses and uploads that were put on disk")
                .register(registry);
        FunctionCounter.builder("sluice.spill.refused", space, SpillSpace::refused)
                .description("Responses cut off and uploads refused, as the disk could not take them")
                .register(registry);
    }

    /** Adds the meters of upstreams, whichever there are. */
    public void bind(Supplier<Collection<MeteredUpstream>> upstreams) {
        registry.getPrometheusRegistry().register(new UpstreamCollector(upstreams));
    }

    /** Returns meters for reloads of the configuration. */
    public ReloadMeters reloads() {
        return new ReloadMeters(registry);
    }

    /** Returns meters for the TLS listener. */
    public TlsObserver tls() {
        return new TlsMeters(registry);
    }

    private static Duration[] millis(long... millis) {
        return Arrays.stream(millis).mapToObj(Duration::ofMillis).toArray(Duration[]::new);
    }

    @Override
    public void close() {
        gc.close();
        logback.close();
        requests.close();
        registry.close();
    }
}
