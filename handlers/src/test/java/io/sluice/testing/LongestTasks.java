package io.sluice.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The longest tasks of all event loops under test, printed when the last test of this JVM is over. Found by
 * JUnit itself, as {@link LeakCheck} is.
 */
public final class LongestTasks implements BeforeAllCallback, BeforeEachCallback {
    private static final int KEPT = 10;
    private static final List<Task> LONGEST = new ArrayList<>();
    private static volatile String current = "";

    /** CPU time, the test that ran, and what else is known: a line or more. */
    private record Task(Duration cpu, String test, String description) {
    }

    /** Adds a task that has ended; it is kept if it is one of the longest. */
    public static void add(Duration cpu, String description) {
        synchronized (LONGEST) {
            LONGEST.add(new Task(cpu, current, description));
            LONGEST.sort(Comparator.comparing(Task::cpu).reversed());
            if (LONGEST.size() > KEPT) {
                LONGEST.removeLast();
            }
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        current = context.getDisplayName();
        context.getRoot().getStore(ExtensionContext.Namespace.create(LongestTasks.class))
                .computeIfAbsent(AutoCloseable.class, _ -> (AutoCloseable) LongestTasks::print);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        current = context.getRequiredTestClass().getSimpleName() + '.' + context.getDisplayName();
    }

    private static void print() {
        synchronized (LONGEST) {
            if (!LONGEST.isEmpty()) {
                System.out.println("The longest tasks of event loops, by CPU time:");
                LONGEST.forEach(task -> System.out.printf("%7.1f ms  %s%n            %s%n",
                        task.cpu.toNanos() / 1e6, task.test, task.description));
            }
        }
    }
}
