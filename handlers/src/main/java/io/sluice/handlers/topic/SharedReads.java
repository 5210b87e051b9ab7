package io.sluice.handlers.topic;

import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads of a bus's history for clients that come back, which can be all at once. Those at one position share
 * a read, and few are under way at a time, as an answer can be large; the others wait in their order.
 * Thread-safe.
 */
final class SharedReads {
    /** The most reads under way. */
    static final int MAX = 16;

    private final BiFunction<String, Position, CompletableFuture<Bus.History>> read;
    private final Executor executor;
    private final LinkedHashMap<Key, List<Reader>> waiting = new LinkedHashMap<>();
    private final Map<Key, List<Reader>> underWay = new HashMap<>();

    private record Key(String topic, Position after) {
    }

    private record Reader(EventExecutor loop, Receiver receiver) {
    }

    /** Receives the answer of a read, on its event loop. */
    @FunctionalInterface
    interface Receiver {

        /**
         * Receives a history, whose messages are owned by this.
         *
         * @param history null if the read has failed
         */
        void arrived(Bus.@Nullable History history);
    }

    /**
     * Reads of a channel.
     *
     * @param executor hands out the answers
     */
    SharedReads(BiFunction<String, Position, CompletableFuture<Bus.History>> read, Executor executor) {
        this.read = read;
        this.executor = executor;
    }

    /** Reads the messages of a topic that follow a position. Any thread. */
    void read(String topic, Position after, EventExecutor loop, Receiver receiver) {
        var key = new Key(topic, after);
        synchronized (this) {
            List<Reader> begun = underWay.get(key);
            (begun == null ? waiting.computeIfAbsent(key, _ -> new ArrayList<>(1)) : begun)
                    .add(new Reader(loop, receiver));
        }
        begin();
    }

    private void begin() {
        for (Key key = next(); key != null; key = next()) {
            Key begun = key;
            tryRead(key).whenCompleteAsync((history, _) -> ended(begun, history), executor);
        }
    }

    private CompletableFuture<Bus.History> tryRead(Key key) {
        try {
            return read.apply(key.topic, key.after);
        } catch (Throwable e) { // otherwise its place would stay taken
            return CompletableFuture.failedFuture(e);
        }
    }

    private synchronized @Nullable Key next() {
        Map.Entry<Key, List<Reader>> first = underWay.size() < MAX ? waiting.pollFirstEntry() : null;
        if (first == null) {
            return null;
        }
        underWay.put(first.getKey(), first.getValue());
        return first.getKey();
    }

    private void ended(Key key, Bus.@Nullable History history) {
        takeReaders(key).forEach(reader -> {
            if (history != null) {
                history.messages().forEach(TopicMessage::retain);
            }
            try {
                reader.loop.execute(() -> reader.receiver.arrived(history));
            } catch (RejectedExecutionException _) { // the loop has ended, and so has the client
                release(history);
            }
        });
        release(history);
        begin();
    }

    private synchronized List<Reader> takeReaders(Key key) {
        List<Reader> readers = underWay.remove(key);
        return readers == null ? List.of() : readers;
    }

    private static void release(Bus.@Nullable History history) {
        if (history != null) {
            history.messages().forEach(TopicMessage::release);
        }
    }
}
