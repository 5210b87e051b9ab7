package io.sluice.gateway.http1;

import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ResponseStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class StreamOrderIT {

    /** The worker returns before the event loop has run its writes, which are still queued. */
    @Test
    void writesOfTheLoopFollowThoseOfTheWorker() throws Exception {
        try (var server = HandlerServer.start(route("/", StreamOrderIT::beginOnAWorkerAndEndOnTheLoop));
                RawClient client = server.connect()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");

            RawClient.Answer answer = client.read();

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("one two three");
        }
    }

    private static void beginOnAWorkerAndEndOnTheLoop(Exchange exchange) {
        ResponseStream stream = CompletableFuture.supplyAsync(() -> {
            ResponseStream begun = exchange.stream(
                    new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
            begun.write(text("one "));
            begun.write(text("two "));
            return begun;
        }).join();
        stream.write(text("three"));
        stream.end();
    }

    private static ByteBuf text(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
    }
}
