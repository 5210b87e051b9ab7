package io.sluice.testing;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Records the longest tasks of all event loops under test, and prints them after the tests. The build may
 * spread the tests over several JVMs. These then merge their tasks in the file {@code test.longest-tasks},
 * and the JVM with {@code test.longest-tasks.print} prints them. JUnit finds this extension as it finds
 * {@link LeakCheck}.
 */
public final class LongestTasks implements BeforeAllCallback, BeforeEachCallback {
    private static final int KEPT = 10;
    private static final List<Task> LONGEST = new ArrayList<>();
    private static volatile String current = "";

    /** The CPU time of a task, the current test, and a description of one or more lines. */
    private record Task(long nanos, String test, String description) {
        String line() {
            return nanos + "\t" + test.replaceAll("\\s+", " ") + "\t" + description.replace("\n", "\t");
        }

        static Task parse(String line) {
            String[] parts = line.split("\t", 3);
            return new Task(Long.parseLong(parts[0]), parts[1], parts[2].replace("\t", "\n"));
        }
    }

    /** Adds a task that has ended. Only the longest tasks are kept. */
    public static void add(Duration cpu, String description) {
        keep(new Task(cpu.toNanos(), current, description));
    }

    private static void keep(Task task) {
        synchronized (LONGEST) {
            LONGEST.add(task);
            LONGEST.sort(Comparator.comparing(Task::nanos).reversed());
            if (LONGEST.size() > KEPT) {
                LONGEST.removeLast();
            }
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        current = context.getDisplayName();
        context.getRoot().getStore(ExtensionContext.Namespace.create(LongestTasks.class))
                .computeIfAbsent(AutoCloseable.class, _ -> (AutoCloseable) LongestTasks::finish);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        current = context.getRequiredTestClass().getSimpleName() + '.' + context.getDisplayName();
    }

    private static void finish() throws IOException {
        String file = System.getProperty("test.longest-tasks");
        boolean last = file == null || Boolean.getBoolean("test.longest-tasks.print");
        synchronized (LONGEST) {
            if (file != null) {
                merge(Path.of(file));
            }
            if (last && !LONGEST.isEmpty()) {
                print();
            }
            LONGEST.clear();
        }
    }

    /**
     * Merges the tasks with those that other JVMs have written to the file, under the file's lock. It is read
     * through the same channel: POSIX ends a lock when its process closes the file, however it was opened.
     */
    private static void merge(Path file) throws IOException {
        try (var channel = FileChannel.open(file, CREATE, READ, WRITE); var _ = channel.lock()) {
            byte[] others = Channels.newInputStream(channel).readAllBytes();
            new String(others, StandardCharsets.UTF_8).lines().map(Task::parse).forEach(LongestTasks::keep);
            String all = LONGEST.stream().map(Task::line).collect(Collectors.joining("\n"));
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(all.getBytes(StandardCharsets.UTF_8)), 0);
        }
    }

    private static void print() {
        System.out.println("The longest tasks of event loops, by CPU time:");
        LONGEST.forEach(task -> System.out.printf("%7.1f ms  %s%n            %s%n", task.nanos / 1e6,
                task.test, task.description));
    }
}
