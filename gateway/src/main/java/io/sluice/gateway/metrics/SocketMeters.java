package io.sluice.gateway.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.sluice.gateway.websocket.SocketMeter;
import io.sluice.handlers.WebSocket.DropReason;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** The meters of a route's WebSockets, {@code sluice.websocket.*} with the tag {@code uri}. */
final class SocketMeters implements SocketMeter {
    private static final String PREFIX = "sluice.websocket.";

    private final MeterRegistry registry;
    private final String uri;
    private final LongAdder open = new LongAdder();
    private final LongAdder messagesIn = new LongAdder();
    private final LongAdder messagesOut = new LongAdder();
    private final LongAdder bytesIn = new LongAdder();
    private final LongAdder bytesOut = new LongAdder();
    private final Timer handshake;
    /** A subscriber that leaves drops thousands of messages in one task, so a count is one addition. */
    private final Map<DropReason, LongAdder> dropped = new EnumMap<>(DropReason.class);

    SocketMeters(MeterRegistry registry, String uri) {
        this.registry = registry;
        this.uri = uri;
        Gauge.builder(PREFIX + "sockets", open, LongAdder::sum).description("Open WebSockets")
                .tag("uri", uri).register(registry);
        counter("messages", "Messages of WebSockets", "in", messagesIn);
        counter("messages", "Messages of WebSockets", "out", messagesOut);
        counter("bytes", "Payload of WebSockets' messages", "in", bytesIn);
        counter("bytes", "Payload of WebSockets' messages", "out", bytesOut);
        handshake = Timer.builder(PREFIX + "handshake").description("From a handshake's head to its response")
                .tag("uri", uri).serviceLevelObjectives(Meters.FINE_BUCKETS).register(registry);
        for (DropReason reason : DropReason.values()) {
            var adder = new LongAdder();
            dropped.put(reason, adder);
            FunctionCounter.builder(PREFIX + "dropped", adder, LongAdder::sum).tag("uri", uri)
                    .tag("reason", reason.name().toLowerCase(Locale.ROOT))
                    .description("Messages for WebSockets that were dropped").register(registry);
        }
    }

    private void counter(String name, String description, String direction, LongAdder adder) {
        FunctionCounter.builder(PREFIX + name, adder, LongAdder::sum).description(description)
                .tags("uri", uri, "direction", direction).register(registry);
    }

    @Override
    public void opened(long nanos) {
        open.increment();
        handshake.record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void closed() {
        open.decrement();
    }

    @Override
    public void received(int bytes) {
        messagesIn.increment();
        bytesIn.add(bytes);
    }

    @Override
    public void sent(int bytes) {
        messagesOut.increment();
        bytesOut.add(bytes);
    }

    @Override
    @SuppressWarnings("NullAway") // there is an adder for each constant
    public void dropped(DropReason reason) {
        dropped.get(reason).increment();
    }
}
