package io.sluice.gateway.filter;

import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.config.CompressionConfig;
import io.sluice.config.CompressionConfig.Encoding;
import io.sluice.config.type.ByteSize;
import io.sluice.config.type.MediaTypePattern;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ResponseStream;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compressed responses to HEAD. */
class HeadCompressionIT {
    private static final int LENGTH = 3000;
    private static HandlerServer server;

    @BeforeAll
    static void start() {
        var compression = Compression.of(new CompressionConfig(Set.of(Encoding.GZIP), new ByteSize(1024),
                Set.of(new MediaTypePattern("text/*"))));
        server = HandlerServer.start(
                route("/whole", compression.around(exchange -> whole(exchange, new byte[LENGTH]))),
                route("/dense", compression.around(HeadCompressionIT::dense)),
                route("/bodyless", compression.around(exchange -> whole(exchange, new byte[0]))),
                route("/stream", compression.around(HeadCompressionIT::stream)));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static void whole(Exchange exchange, byte[] body) {
        var answer = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK,
                Unpooled.wrappedBuffer(body));
        setFields(exchange, answer);
        exchange.respond(answer);
    }

    /** Answers with a text that compression does not make shorter. */
    private static void dense(Exchange exchange) {
        byte[] random = new byte[LENGTH];
        new Random(1).nextBytes(random);
        whole(exchange, random);
    }

    private static void stream(Exchange exchange) {
        var head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        setFields(exchange, head);
        ResponseStream stream = exchange.stream(head);
        stream.write(Unpooled.wrappedBuffer(new byte[LENGTH]));
        stream.end();
    }

    private static void setFields(Exchange exchange, HttpResponse response) {
        response.headers().set("ETag", "\"x\"").set("Accept-Ranges", "bytes")
                .set("Content-Type", "text/plain");
        if (exchange.queryParameter("length") != null) {
            response.headers().set("Content-Length", LENGTH);
        }
    }

    private static String request(String method, String target, String accepted) {
        return method + ' ' + target + " HTTP/1.1\r\nHost: a\r\nAccept-Encoding: " + accepted + "\r\n\r\n";
    }

    @ParameterizedTest
    @ValueSource(strings = {"/whole", "/whole?length", "/dense", "/stream", "/stream?length"})
    void hasTheFieldsOfGet(String target) throws IOException {
        try (RawClient client = server.connect()) {
            for (String accepted : List.of("gzip", "deflate")) {
                RawClient.Answer head = client.send(request("HEAD", target, accepted)).readHead();
                RawClient.Answer whole = client.send(request("GET", target, accepted)).read();

                for (String name : List.of("Content-Encoding", "Content-Length", "Transfer-Encoding", "ETag",
                        "Accept-Ranges", "Vary")) {
                    assertThat(head.header(name)).as(name).isEqualTo(whole.header(name));
                }
            }
        }
    }

    /** A handler may state the length of a body that it does not make. */
    @Test
    void statesTheCodingOfABodyThatIsNotMade() throws IOException {
        try (RawClient client = server.connect()) {
            RawClient.Answer head = client.send(request("HEAD", "/bodyless?length", "gzip")).readHead();

            assertThat(head.header("Content-Encoding")).isEqualTo("gzip");
            assertThat(head.header("ETag")).isEqualTo("W/\"x\"");
            assertThat(head.header("Content-Length")).isNull();
        }
    }
}
