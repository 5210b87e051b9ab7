package io.sluice.handlers.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.config.HandlerConfig;
import io.sluice.config.PoolConfig;
import io.sluice.config.type.PathTemplate;
import io.sluice.handlers.FakeExchange;
import io.sluice.handlers.FakeResponse;
import io.sluice.offload.Offload;
import io.sluice.offload.PoolObserver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that a worker reads in pieces; FileSendingIT of the gateway has those that the kernel sends. */
class FileBodyTest {
    private static final int PIECE = 64 * 1024;
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    private final byte[] content = new byte[5 * PIECE + 1];
    private final FakeExchange exchange = new FakeExchange();
    private final FakeResponse answer = exchange.answer();
    @TempDir
    private Path folder;

    /** The deadline of a pool is that of a read; the response has its own. */
    @Test
    void isContinuedAfterAReadThatHasWaitedTooLong() throws Exception {
        new Random(1).nextBytes(content);
        Files.write(folder.resolve("index.html"), content);
        var config = new HandlerConfig.Files(folder.toString(), "index.html", Optional.empty(), "disk",
                false);
        answer.takeAtOnce(PIECE);
        try (var pool = Offload.start("disk", PoolConfig.of(PoolConfig.Kind.PLATFORM, 1, 10, DEADLINE),
                PoolObserver.NONE, exchange.eventLoop().ticker())) {
            exchange.handledBy(new FilesHandler(config, PathTemplate.parse("/**"), pool, new KeptFiles(10)));
            settleUntil(() -> answer.bytes().length == PIECE && pool.stats().busy() == 0);
            var busy = new CountDownLatch(1);
            pool.submit(exchange.deadline(), exchange.eventLoop(), _ -> {
                busy.await();
                return null;
            });

            answer.takeAtOnce(content.length);
            answer.readOn();
            exchange.pass(DEADLINE.plusSeconds(2));
            assertThat(exchange.failure()).isNull();
            busy.countDown();
            settleUntil(() -> {
                if (pool.stats().busy() == 0) {
                    exchange.pass(Duration.ofSeconds(1));
                }
                return answer.isWhole();
            });
        }
        assertThat(answer.bytes()).isEqualTo(content);
    }

    private void settleUntil(BooleanSupplier condition) {
        await().pollInSameThread().until(() -> {
            exchange.settle();
            return condition.getAsBoolean();
        });
    }
}
