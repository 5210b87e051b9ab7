package io.sluice.loadtest.experiments.report;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The properties of this machine that affect figures, without anything that identifies it.
 *
 * @param processor its model, or its architecture if the model is unknown
 * @param memory in bytes
 */
public record Machine(int processors, String processor, long memory, String jdk, String system) {

    private static final long GIB = 1L << 30;

    /** Describes this machine. */
    public static Machine here() {
        var system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return new Machine(Runtime.getRuntime().availableProcessors(),
                model().orElse(System.getProperty("os.arch")),
                system.getTotalMemorySize(),
                "%s %s".formatted(System.getProperty("java.vm.name"), Runtime.version()),
                // The rest of the version is a name given by its builder.
                "%s %s".formatted(System.getProperty("os.name"),
                        System.getProperty("os.version").replaceFirst("[^0-9.].*", "")));
    }

    private static Optional<String> model() {
        try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst();
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /** A description in one line. */
    @Override
    public String toString() {
        return "%d processors (%s), %d GiB of memory, %s, %s"
                .formatted(processors, processor, Math.round((double) memory / GIB), jdk, system);
    }
}
