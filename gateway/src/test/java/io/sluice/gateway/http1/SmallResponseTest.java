package io.sluice.gateway.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;
import io.sluice.gateway.exchange.ResponseHeaders;
import io.sluice.handlers.Relayed;
import io.sluice.handlers.message.ArrayResponse;
import io.sluice.handlers.message.FlatHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Small answers have the same bytes as from Netty's encoder, with Server, Date and security headers added.
 */
class SmallResponseTest {
    private static final String COMMON_HEADERS = "server: me\r\nstrict-transport-security: max-age=9\r\n"
            + "x-content-type-options: nosniff\r\n"
            + "date: \\w{3}, \\d\\d \\w{3} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT\r\n";

    private static ResponseEncoder ours() {
        return new ResponseEncoder(new ResponseHeaders(
                EmbeddedGateway.config(Map.of("sluice.server.server-header", "me")),
                Optional.of(Duration.ofSeconds(9)), System::currentTimeMillis));
    }

    private static FullHttpResponse answer(HttpVersion version, HttpResponseStatus status, int body,
            int header) {
        var headers = new FlatHeaders(1);
        headers.add("Content-Length", body).add(AsciiString.cached("x-a"), AsciiString.cached("b"))
                .add("x-long", "v".repeat(header)).add(AsciiString.cached("x-empty"), "");
        return new DefaultFullHttpResponse(version, status, Unpooled.buffer(body).writeZero(body), headers,
                EmptyHttpHeaders.INSTANCE);
    }

    private static String sent(ChannelHandler encoder, FullHttpResponse answer) {
        var channel = new EmbeddedChannel(encoder);
        channel.writeOutbound(answer);
        String bytes = written(channel);
        assertThat(answer.refCnt()).isZero();
        return bytes;
    }

    private static String written(EmbeddedChannel channel) {
        var bytes = new StringBuilder();
        for (ByteBuf piece = channel.readOutbound(); piece != null; piece = channel.readOutbound()) {
            bytes.append(piece.toString(StandardCharsets.ISO_8859_1));
            piece.release();
        }
        channel.finishAndReleaseAll();
        return bytes.toString();
    }

    @ParameterizedTest
    @CsvSource({"200, 0, 0", "200, 13, 1", "200, 4096, 0", "200, 4097, 0", "200, 5, 3900", "200, 5, 4200",
        "200, 70000, 70000", "404, 20, 3", "503, 20, 3", "204, 0, 0", "205, 0, 0", "304, 0, 0", "100, 0, 0",
        "299, 3, 3"})
    void bytesEqualThoseOfNettysEncoder(int status, int body, int header) {
        var code = HttpResponseStatus.valueOf(status);

        String sent = sent(ours(), answer(HttpVersion.HTTP_1_1, code, body, header));

        assertThat(sent.replaceFirst(COMMON_HEADERS + "\r\n", "\r\n")).isEqualTo(
                sent(new HttpResponseEncoder(), answer(HttpVersion.HTTP_1_1, code, body, header)));
        assertThat(sent.split(COMMON_HEADERS, -1)).hasSize(status == 100 ? 1 : 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Server", "DATE", "Strict-Transport-Security",
        "X-Content-Type-Options"})
    void commonHeadersOfAHandlerAreReplaced(String name) {
        var answer = answer(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, 0, 0);
        answer.headers().set(name, "handler's");

        assertThat(sent(ours(), answer)).doesNotContain("handler's").contains("server: me\r\n")
                .contains("strict-transport-security: max-age=9\r\n").containsPattern("date: \\w{3}, ");
    }

    @Test
    void serverHeaderIsOmittedIfEmpty() {
        var quiet = new ResponseHeaders(EmbeddedGateway.config(Map.of("sluice.server.server-header", "")),
                Optional.empty(), System::currentTimeMillis);
        var answer = answer(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, 0, 0);

        assertThat(sent(new ResponseEncoder(quiet), answer)).containsPattern(
                "x-empty: \r\nx-content-type-options: nosniff\r\ndate: [^\r]+\r\n\r\n$");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4_000, 4_096, 5_000})
    void reasonPhrasesMayBeLong(int length) {
        var status = new HttpResponseStatus(200, "r".repeat(length));

        assertThat(sent(ours(), answer(HttpVersion.HTTP_1_1, status, 1, 1)))
                .startsWith("HTTP/1.1 200 " + "r".repeat(length) + "\r\nContent-Length: 1\r\n");
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "13, 0", "13, 4200", "5000, 0"})
    void bodiesMayBeSharedArrays(int body, int header) {
        String ofBuffer = sent(ours(), answer(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, body, header));
        HttpHeaders headers = answer(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, body, header).headers();
        var shared = new byte[body];

        for (int times = 0; times < 2; times++) {
            var channel = new EmbeddedChannel(ours());
            channel.writeOutbound(new ArrayResponse(HttpResponseStatus.OK, headers.copy(), shared));
            assertThat(written(channel).replaceFirst("date: .*", ""))
                    .isEqualTo(ofBuffer.replaceFirst("date: .*", ""));
        }
    }

    /** A relayed response gets missing fields, also where its head is as long as the array for heads. */
    @Test
    void relayedHeadsMayBeOfAnyLength() {
        for (int length = 3_900; length < 4_200; length++) {
            var relayed = new RelayedAnswer(new FlatHeaders(1).add("Content-Length", 2)
                    .add("x-pad", "v".repeat(length)));

            assertThat(sent(ours(), relayed)).startsWith("HTTP/1.1 200 OK\r\n")
                    .contains("v".repeat(length)).containsPattern(
                            "date: [^\r]+\r\nstrict-transport-security: max-age=9\r\n\r\n");
        }
    }

    private static final class RelayedAnswer extends DefaultFullHttpResponse implements Relayed {
        RelayedAnswer(HttpHeaders headers) {
            super(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.buffer(2).writeZero(2), headers,
                    EmptyHttpHeaders.INSTANCE);
        }
    }

    @Test
    void http10VersionIsWritten() {
        assertThat(sent(ours(), answer(HttpVersion.HTTP_1_0, HttpResponseStatus.OK, 1, 1)))
                .startsWith("HTTP/1.0 200 OK\r\n");
    }

    @Test
    void charactersBeyondLatin1CannotSplitAHeader() {
        var answer = answer(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, 0, 0);
        answer.headers().set("x-long", "a\u010d\u010ax-injected: 1"); // their low bytes are CR and LF

        assertThat(sent(ours(), answer)).contains("x-long: a??x-injected: 1\r\n");
    }
}
