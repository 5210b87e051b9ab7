package io.sluice.gateway.filter;

import static io.sluice.gateway.HandlerServer.route;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.config.CompressionConfig;
import io.sluice.config.CompressionConfig.Encoding;
import io.sluice.config.type.ByteSize;
import io.sluice.config.type.MediaTypePattern;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import io.sluice.gateway.limits.ShortMemory;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ResponseStream;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** A compressor takes native memory, for as long as its client reads. */
@Isolated
class CompressionMemoryIT {

    private static void stream(Exchange exchange) {
        var head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        head.headers().set("Content-Type", "text/plain");
        ResponseStream stream = exchange.stream(head);
        stream.write(Unpooled.copiedBuffer("a text that says it all ".repeat(100), UTF_8));
        stream.end();
    }

    @Test
    void noneIsTakenWhileMemoryIsShort() throws IOException {
        var compression = Compression.of(new CompressionConfig(new LinkedHashSet<>(List.of(Encoding.GZIP)),
                new ByteSize(1024), Set.of(new MediaTypePattern("text/*"))));
        try (var server = HandlerServer.start(route("/", compression.around(CompressionMemoryIT::stream)));
                RawClient client = server.connect()) {
            assertThat(encoding(client)).isEqualTo("gzip");
            try (var _ = new ShortMemory()) {
                assertThat(encoding(client)).isNull();
            }
            assertThat(encoding(client)).isEqualTo("gzip");
        }
    }

    private static String encoding(RawClient client) throws IOException {
        return client.send("GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n").read()
                .header("Content-Encoding");
    }
}
