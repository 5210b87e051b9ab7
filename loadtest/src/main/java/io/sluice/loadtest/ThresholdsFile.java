package io.sluice.loadtest;

import io.sluice.loadtest.simulations.Thresholds;
import io.sluice.loadtest.simulations.Thresholds.Limit;
import io.sluice.loadtest.simulations.TimeSpan;
import io.sluice.loadtest.simulations.UsageException;
import io.sluice.loadtest.simulations.Workload;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Thresholds of several simulations in a properties file: {@code hello.p99 = 50ms},
 * {@code hello.error-ratio = 0.001}.
 */
record ThresholdsFile(Map<Workload, Thresholds> thresholds) {

    static final String EXPECTED = "a properties file that can be read";

    private static final String BUILT_IN = "thresholds.properties";
    private static final String RATIO = "0..1";

    /** The default thresholds: the assertions of the field reports. */
    static ThresholdsFile builtIn() {
        try (var reader = new InputStreamReader(
                ThresholdsFile.class.getResourceAsStream(BUILT_IN), StandardCharsets.UTF_8)) {
            return read(BUILT_IN, reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Reads a file.
     *
     * @throws UsageException if it cannot be read, or with all mistakes in it
     */
    static ThresholdsFile read(String file) {
        try (var reader = Files.newBufferedReader(Path.of(file))) {
            return read(file, reader);
        } catch (IOException | InvalidPathException _) {
            throw new UsageException("--thresholds", file, EXPECTED);
        }
    }

    private static ThresholdsFile read(String name, Reader reader) throws IOException {
        var properties = new Properties();
        try {
            properties.load(reader);
        } catch (IllegalArgumentException e) {
            throw new UsageException(name, String.valueOf(e.getMessage()), EXPECTED);
        }
        var found = new EnumMap<Workload, Map<Limit, Double>>(Workload.class);
        var mistakes = new ArrayList<UsageException>();
        for (var key : new TreeSet<>(properties.stringPropertyNames())) {
            try {
                add(found, key, properties.getProperty(key).strip());
            } catch (UsageException e) {
                mistakes.add(e.in(name));
            }
        }
        if (!mistakes.isEmpty()) {
            throw UsageException.all(mistakes);
        }
        var thresholds = new EnumMap<Workload, Thresholds>(Workload.class);
        found.forEach((workload, limits) -> thresholds.put(workload, new Thresholds(Map.copyOf(limits))));
        return new ThresholdsFile(thresholds);
    }

    private static void add(Map<Workload, Map<Limit, Double>> found, String key, String value) {
        var parts = List.of(key.split("\\.", 2));
        var workload = Workload.named(parts.getFirst()).orElseThrow(() -> new UsageException(key, value,
                "SIMULATION.LIMIT with a simulation of " + String.join(", ", Workload.names())));
        var limit = Limit.named(parts.getLast()).filter(workload.limits()::contains)
                .orElseThrow(() -> new UsageException(key, value,
                        workload + ".LIMIT with a limit of " + workload.limits().stream()
                                .map(Limit::toString).collect(Collectors.joining(", "))));
        found.computeIfAbsent(workload, _ -> new EnumMap<>(Limit.class))
                .put(limit, limit == Limit.ERROR_RATIO ? ratio(key, value) : millis(key, value));
    }

    private static double millis(String key, String value) {
        return TimeSpan.parse(value).map(Duration::toMillis)
                .filter(millis -> millis <= Integer.MAX_VALUE)
                .orElseThrow(() -> new UsageException(key, value, TimeSpan.EXPECTED));
    }

    private static double ratio(String key, String value) {
        try {
            var ratio = Double.parseDouble(value);
            if (ratio >= 0 && ratio <= 1) {
                return ratio;
            }
        } catch (NumberFormatException _) {
            // told below
        }
        throw new UsageException(key, value, RATIO);
    }

    /** The thresholds of one simulation; empty if the file has none. */
    Optional<Thresholds> of(Workload workload) {
        return Optional.ofNullable(thresholds.get(workload));
    }
}
