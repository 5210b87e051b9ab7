package io.sluice.gateway.exchange;

import static io.sluice.gateway.HandlerServer.answer;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufInputStream;
import io.sluice.config.type.Method;
import io.sluice.config.type.PathTemplate;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.routing.Route;
import io.sluice.handlers.Exchange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/** A body of many MiB that is collected for a handler. */
class LargeBodyIT {
    private static final int SIZE = 33 << 20;

    @Test
    void isCollectedInShortTasks() throws Exception {
        byte[] body = new byte[SIZE];
        ThreadLocalRandom.current().nextBytes(body);
        var crc = new CRC32();
        crc.update(body);
        String head = "POST /crc HTTP/1.1\r\nHost: a\r\nContent-Length: " + SIZE + "\r\n\r\n";
        try (var server = HandlerServer.start(new Route("/crc", PathTemplate.parse("/crc"),
                Set.of(Method.POST), "test", HandlerServer.limits(Duration.ofMinutes(2), SIZE)
                .around(LargeBodyIT::checksum)))) {
            server.loopBudget().requireBelow(Duration.ofMillis(5), () -> {
                try (var client = server.connect()) {
                    assertThat(client.send(head).send(body).read().body())
                            .isEqualTo(Long.toHexString(crc.getValue()));
                }
            });
        }
    }

    /** Computes it on another thread, as a worker would. */
    private static void checksum(Exchange exchange) {
        exchange.readBody(body -> {
            var kept = body.retain();
            Thread.ofVirtual().start(() -> {
                var crc = new CRC32();
                try (var in = new ByteBufInputStream(kept, true)) {
                    crc.update(in.readAllBytes());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                exchange.eventLoop().execute(() -> answer(exchange, Long.toHexString(crc.getValue())));
            });
        });
    }
}
