package io.sluice.gateway.exchange;

import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.sluice.gateway.HandlerServer;
import io.sluice.handlers.Exchange;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A handler that throws while it reads the body of a request. */
class ThrowingReaderIT {
    private final CompletableFuture<Void> aborted = new CompletableFuture<>();

    private void read(Exchange exchange) {
        exchange.onAbort(() -> aborted.complete(null));
        exchange.streamBody(new Exchange.BodyReader() {
            @Override
            public boolean content(ByteBuf content) {
                content.release();
                throw new IllegalStateException("a defect of this test");
            }

            @Override
            public void end(HttpHeaders trailers) {
                throw new IllegalStateException("expected: no end after the defect");
            }
        });
    }

    /** Ends what the handler has begun, too, such as a request to an upstream. */
    @Test
    void abortsTheRequest() throws IOException {
        try (var server = HandlerServer.start(route("/", this::read)); var client = server.connect()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody");

            assertThat(client.read().status()).isEqualTo(500);
            assertThat(aborted).succeedsWithin(Duration.ofSeconds(30));
        }
    }
}
