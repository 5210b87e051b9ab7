package io.sluice.testing;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.util.ArrayList;
import java.util.List;
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

    /** Returns the leaks since the last call. A leak is found when the buffer has been garbage-collected. */
    static List<String> find() throws InterruptedException {
        for (int i = 0; i < ROUNDS; i++) {
            System.gc();
            Thread.sleep(20); // the collector enqueues references a moment after it has run
            // an allocation has the leak detector poll the references
            PooledByteBufAllocator.DEFAULT.buffer(1).release();
        }
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
        protected void reportTracedLeak(String type, String records) {
            LEAKS.add(type + ": " + records);
        }

        @Override
        protected void reportUntracedLeak(String type) {
            LEAKS.add(type);
        }
    }
}
