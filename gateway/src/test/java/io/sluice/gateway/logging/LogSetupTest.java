package io.sluice.gateway.logging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.config.LogConfig;
import io.sluice.config.read.ConfigLoader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class LogSetupTest {
    private static final int CHANGES = 100;

    private final PrintStream stdout = System.out;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    @TempDir
    private Path folder;

    @BeforeEach
    void capture() {
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void restore() {
        System.setOut(stdout);
    }

    private LogConfig log(String format) throws IOException {
        Path file = Files.writeString(folder.resolve("main.conf"), "sluice.log.format = " + format);
        return new ConfigLoader(Map.of()).load(file).config().log();
    }

    private List<String> lines(String containing) {
        return printed.toString(StandardCharsets.UTF_8).lines()
                .filter(line -> line.contains(containing)).toList();
    }

    @Test
    void changesPrintEachEventOnce() throws Exception {
        LogConfig text = log("text");
        LogConfig json = log("json");
        var access = LoggerFactory.getLogger(LogSetup.ACCESS);
        var number = new AtomicInteger();
        LogSetup.apply(text);
        Thread busy = Thread.ofPlatform().start(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                access.info("request {} of the test", number.incrementAndGet());
                LockSupport.parkNanos(100_000); // else the queue would be full, and drop lines
            }
        });
        await().until(() -> !lines("of the test").isEmpty());
        for (int i = 0; i < CHANGES; i++) {
            LogSetup.apply(i % 2 == 0 ? json : text);
        }
        busy.interrupt();
        busy.join();

        await().until(() -> !lines("request %d of the test".formatted(number.get())).isEmpty());
        assertThat(lines("of the test")).isEqualTo(IntStream.rangeClosed(1, number.get())
                .mapToObj("request %d of the test"::formatted).toList());
    }

    @Test
    void eventsHaveTheFormatOfTheLastChange() throws Exception {
        var log = LoggerFactory.getLogger(LogSetupTest.class);
        LogSetup.apply(log("json"));
        log.warn("as JSON");
        await().untilAsserted(() -> assertThat(lines("as JSON")).singleElement().asString().startsWith("{"));
        LogSetup.apply(log("text"));
        log.warn("as text");
        await().untilAsserted(() -> assertThat(lines("as text")).singleElement().asString().contains("WARN"));
    }
}
