package io.sluice.testing;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import io.netty.util.ResourceLeakTracker;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class that leaked a buffer. JUnit finds this extension in every module that has it on the test
 * class path. It sets the leak detector to paranoid.
 */
public final class LeakCheck implements AfterAllCallback {
    private static final int ROUNDS = 3;
    private static final ConcurrentLinkedQueue<String> LEAKS = new ConcurrentLinkedQueue<>();
    private static final Set<Tracker<?>> OPEN = ConcurrentHashMap.newKeySet();
    /** The buffers that were open in the last call. Their test class may still have held them. */
    private static final Set<Tracker<?>> SEEN = new HashSet<>();
    /** The buffers that were open in two calls. */
    private static final Set<Tracker<?>> CHECKED = new HashSet<>();

    static {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new ResourceLeakDetectorFactory() {
            @Override
            @SuppressWarnings("deprecation")
            public <T> ResourceLeakDetector<T> newResourceLeakDetector(Class<T> type, int every, long max) {
                return new Recorder<>(type, every);
            }
        });
    }

    @Override
    public void afterAll(ExtensionContext context) throws InterruptedException {
        requireNone();
    }

    /** Fails if a buffer has leaked; for tests that do not run on JUnit's own engine. */
    public static void requireNone() throws InterruptedException {
        List<String> leaks = find();
        if (!leaks.isEmpty()) {
            throw new AssertionError(leaks.size() + " leaked buffers:\n" + String.join("\n", leaks));
        }
    }

    /**
     * Returns the leaks since the last call. A leak is found when the buffer has been garbage-collected.
     * Collections are slow, and needed only if there are buffers that fewer than two calls have seen: a test
     * class may hold a buffer that it has lost until after its own call.
     */
    static synchronized List<String> find() throws InterruptedException {
        for (int i = 0; i < ROUNDS && !CHECKED.containsAll(OPEN); i++) {
            System.gc();
            Thread.sleep(20); // the collector enqueues references a moment after it has run
            // an allocation has the leak detector poll the references
            PooledByteBufAllocator.DEFAULT.buffer(1).release();
        }
        CHECKED.addAll(SEEN);
        SEEN.clear();
        SEEN.addAll(OPEN);
        CHECKED.retainAll(SEEN);
        var leaks = new ArrayList<String>();
        for (String leak = LEAKS.poll(); leak != null; leak = LEAKS.poll()) {
            leaks.add(leak);
        }
        return leaks;
    }

    private static final class Recorder<T> extends ResourceLeakDetector<T> {
        Recorder(Class<?> type, int interval) {
            super(type, interval);
        }

        @Override
        public ResourceLeakTracker<T> track(T resource) {
            return Tracker.of(super.track(resource));
        }

        @Override
        public ResourceLeakTracker<T> trackForcibly(T resource) {
            return Tracker.of(super.trackForcibly(resource));
        }

        @Override
        protected void reportTracedLeak(String type, String records) {
            LEAKS.add(type + ": " + records);
        }

        @Override
        protected void reportUntracedLeak(String type) {
            LEAKS.add(type);
        }
    }

    /** A tracker that is in {@link #OPEN} until its buffer has been released. */
    private record Tracker<T>(ResourceLeakTracker<T> tracker) implements ResourceLeakTracker<T> {
        /** Wraps a tracker; null, for resources that are not tracked, remains. */
        static <T> ResourceLeakTracker<T> of(ResourceLeakTracker<T> tracker) {
            if (tracker == null) {
                return null;
            }
            var open = new Tracker<>(tracker);
            OPEN.add(open);
            return open;
        }

        @Override
        public void record() {
            tracker.record();
        }

        @Override
        public void record(Object hint) {
            tracker.record(hint);
        }

        @Override
        public boolean close(T resource) {
            OPEN.remove(this);
            return tracker.close(resource);
        }
    }
}
