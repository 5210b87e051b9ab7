package io.sluice.gateway.filter;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import io.sluice.gateway.limits.DirectMemory;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ResponseStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Streams of several clients that are compressed at the same time. */
class CompressorPlacesIT {
    private static final int PLACES = 256;
    private static final String TEXT = "a text that says it all again ".repeat(100);

    private final Queue<ResponseStream> open = new ConcurrentLinkedQueue<>();
    private final List<RawClient> clients = new ArrayList<>();
    private HandlerServer server;

    @BeforeEach
    void start() {
        var compression = Compression.of(new CompressionConfig(new LinkedHashSet<>(List.of(Encoding.GZIP)),
                new ByteSize(1024), Set.of(new MediaTypePattern("text/*"))));
        server = HandlerServer.start(
                route("/whole", compression.around(exchange -> answer(exchange, TEXT))),
                route("/stream", compression.around(exchange -> stream(exchange).end())),
                route("/open", compression.around(exchange -> open.add(stream(exchange)))));
    }

    private static ResponseStream stream(Exchange exchange) {
        var head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        head.headers().set("Content-Type", "text/plain");
        ResponseStream stream = exchange.stream(head);
        stream.write(Unpooled.copiedBuffer(TEXT, UTF_8));
        return stream;
    }

    @AfterEach
    void stop() throws IOException {
        closeAll();
        server.close();
    }

    private void closeAll() throws IOException {
        for (RawClient client : clients) {
            client.close();
        }
        clients.clear();
        await().until(() -> server.connections().count() == 0);
        open.clear();
    }

    /** Opens as many streams as are compressed, the same number from each address. */
    private void openAll(int addresses) throws IOException {
        for (int i = 0; i < PLACES; i++) {
            clients.add(connect(1 + i % addresses).send(request("/open")));
        }
        await().until(() -> open.size() == PLACES);
    }

    private RawClient connect(int address) throws IOException {
        return new RawClient(new Socket(InetAddress.getLoopbackAddress(), server.port(),
                InetAddress.ofLiteral("127.0.0." + address), 0));
    }

    private static String request(String target) {
        return "GET " + target + " HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n";
    }

    private String encoding(int address, String target) throws IOException {
        try (RawClient client = connect(address)) {
            return client.send(request(target)).read().header("Content-Encoding");
        }
    }

    /** A compressor is returned when its stream ends, or when its client disconnects. */
    @Test
    void areCompressedUpToALimitAndSentAsTheyAreBeyondIt() throws IOException {
        long before = DirectMemory.ofProcess().used();
        openAll(3);
        assertThat(DirectMemory.ofProcess().used() - before).isGreaterThan(90 << 20);

        assertThat(encoding(1, "/stream")).isNull();
        assertThat(encoding(1, "/whole")).isEqualTo("gzip");
        open.remove().end();
        await().untilAsserted(() -> assertThat(encoding(1, "/stream")).isEqualTo("gzip"));
        closeAll();
        await().untilAsserted(() ->
                assertThat(DirectMemory.ofProcess().used() - before).isLessThan(10 << 20));
        openAll(3);
        for (ResponseStream stream : open) {
            stream.end();
        }
        for (RawClient client : clients) {
            assertThat(client.read().header("Content-Encoding")).isEqualTo("gzip");
        }
    }

    @Test
    void leaveHalfOfTheCompressorsToOtherClients() throws IOException {
        openAll(1);

        assertThat(encoding(1, "/stream")).isNull();
        assertThat(encoding(2, "/stream")).isEqualTo("gzip");
    }
}
