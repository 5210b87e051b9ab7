package io.sluice.gateway.bus;

import io.netty.buffer.ByteBuf;
import io.sluice.handlers.topic.Bus;
import io.sluice.handlers.topic.Position;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Records the calls of a bus. */
final class BusEvents implements Bus.Receiver {
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

    @Override
    public void subscribed(String topic) {
        events.add("subscribed " + topic);
    }

    @Override
    public void message(String topic, Position position, boolean text, ByteBuf payload) {
        events.add(position + " " + payload.toString(StandardCharsets.UTF_8));
        payload.release();
    }

    @Override
    public void lost(String topic) {
        events.add("lost " + topic);
    }

    String next() throws InterruptedException {
        return events.poll(60, TimeUnit.SECONDS);
    }
}
