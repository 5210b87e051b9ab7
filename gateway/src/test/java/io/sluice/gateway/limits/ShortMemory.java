package io.sluice.gateway.limits;

import java.lang.reflect.Field;

/** A shortage of direct memory in this JVM, until it is closed. Tests that use it run alone. */
public final class ShortMemory implements AutoCloseable {
    private final long limit = DirectMemory.ofProcess().limit();

    /** Begins the shortage. */
    public ShortMemory() {
        limit(0);
    }

    private static void limit(long bytes) {
        try {
            Field limit = DirectMemory.class.getDeclaredField("limit");
            limit.setAccessible(true);
            limit.setLong(DirectMemory.ofProcess(), bytes);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        limit(limit);
    }
}
