package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

class GuardTest {
    private final List<Object> logged = new ArrayList<>();
    private Runnable onLog = () -> { };
    private final Guard guard = new Guard((Logger) Proxy.newProxyInstance(Logger.class.getClassLoader(),
            new Class<?>[] {Logger.class}, (_, _, arguments) -> {
                logged.addAll(List.of(arguments));
                onLog.run();
                return null;
            }), "the step failed");

    @Test
    void failureIsLoggedAndReturned() {
        var failure = new AssertionError("thrown by a test");

        assertThat(guard.run(() -> {
            throw failure;
        })).isFalse();
        assertThat(guard.run(() -> { })).isTrue();

        assertThat(logged).containsExactly("the step failed", failure);
    }

    @Test
    void doesNotFillTheLog() {
        for (int i = 0; i < 100; i++) {
            guard.run(() -> {
                throw new IllegalStateException("thrown by a test");
            });
        }
        assertThat(logged).hasSize(2);
    }

    /** Logging fails, too, when the stack or the memory is exhausted. */
    @Test
    void outlivesAFailureOfTheLog() {
        onLog = () -> {
            throw new OutOfMemoryError("thrown by a test");
        };
        assertThat(guard.run(() -> {
            throw new StackOverflowError("thrown by a test");
        })).isFalse();
    }
}
