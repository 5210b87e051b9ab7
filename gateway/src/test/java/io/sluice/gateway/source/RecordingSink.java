package io.sluice.gateway.source;

import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.netty.util.concurrent.Promise;
import io.sluice.offload.source.Message;
import io.sluice.offload.source.MessageSink;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A sink that records messages, each key once. Tests can inspect messages before, refuse them, and hold them
 * back. Thread-safe.
 */
final class RecordingSink implements MessageSink {
    private final List<Message> taken = new ArrayList<>();
    private final Map<String, Promise<Void>> byKey = new LinkedHashMap<>();
    private final Map<Message, Promise<Void>> held = new LinkedHashMap<>();
    private Consumer<Message> before = _ -> { };
    private boolean holds;
    private int repeated;
    private int mostHeld;
    private long mostHeldBytes;

    /** Sets an action that runs before each message is taken. Its exception refuses the message. */
    synchronized RecordingSink before(Consumer<Message> look) {
        before = look;
        return this;
    }

    /** Holds further messages back until {@link #release}. */
    synchronized RecordingSink hold() {
        holds = true;
        return this;
    }

    synchronized void release() {
        holds = false;
        releaseHeld();
    }

    /** Takes the messages held so far, and holds further ones back. */
    synchronized void releaseHeld() {
        held.forEach(this::take);
        held.clear();
    }

    @Override
    public synchronized Future<?> accept(Message message) {
        Promise<Void> known = byKey.get(message.key());
        if (known != null) {
            repeated++;
            return known;
        }
        try {
            before.accept(message);
        } catch (RuntimeException e) {
            return ImmediateEventExecutor.INSTANCE.newFailedFuture(e);
        }
        Promise<Void> promise = ImmediateEventExecutor.INSTANCE.newPromise();
        byKey.put(message.key(), promise);
        if (holds) {
            held.put(message, promise);
            mostHeld = Math.max(mostHeld, held.size());
            mostHeldBytes = Math.max(mostHeldBytes,
                    held.keySet().stream().mapToLong(each -> each.payload().length).sum());
        } else {
            take(message, promise);
        }
        return promise;
    }

    private void take(Message message, Promise<Void> promise) {
        taken.add(message);
        promise.setSuccess(null);
    }

    /** Returns the taken messages in order, each as topic, a colon and text. */
    synchronized List<String> texts() {
        return taken.stream().map(message -> message.topic() + ':'
                + new String(message.payload(), StandardCharsets.UTF_8)).toList();
    }

    synchronized List<Message> messages() {
        return List.copyOf(taken);
    }

    synchronized int size() {
        return taken.size();
    }

    synchronized int held() {
        return held.size();
    }

    /** Returns the number of messages that came more than once. */
    synchronized int repeated() {
        return repeated;
    }

    synchronized int mostHeld() {
        return mostHeld;
    }

    synchronized long mostHeldBytes() {
        return mostHeldBytes;
    }
}
