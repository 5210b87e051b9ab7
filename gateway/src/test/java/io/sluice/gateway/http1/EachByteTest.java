package io.sluice.gateway.http1;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.ServerConfig;
import io.sluice.gateway.routing.Route;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each of the 256 bytes at each position of a request: accepted where the grammar allows it, else refused.
 */
class EachByteTest {
    private static final ServerConfig CONFIG = EmbeddedGateway.config(Map.of());
    private static final Route ROUTE = route("/**", exchange -> exchange.readBody(
            body -> answer(exchange, body.readableBytes() + " bytes")));
    private static final String HOST = "\r\nHost: a\r\n";
    private static final String GET = "GET / HTTP/1.1" + HOST;
    private static final String END = "\r\n\r\n";
    private static final String CHUNKED = "POST / HTTP/1.1" + HOST + "Transfer-Encoding: chunked\r\n\r\n";
    private static final String REST = "\r\nhello\r\n0\r\n\r\n";

    private static final String TOKEN = "!#$%&'*+.^_`|~0-9A-Za-z\\-";
    private static final String TEXT = "\t -~\\x80-\\xff";
    private static final String NOTHING = "a&&b";

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void byteIsAcceptedOnlyWhereTheGrammarAllows(String place, String before, String after, String allowed) {
        Pattern allowedBytes = Pattern.compile('[' + allowed + ']', Pattern.DOTALL);
        for (char c = 0; c <= 0xFF; c++) {
            try (var gateway = new EmbeddedGateway(CONFIG, ROUTE)) {
                String answer = gateway.receive(before + c + after).sent();

                boolean refused = !allowedBytes.matcher(String.valueOf(c)).matches();
                assertThat(answer.startsWith("HTTP/1.1 400 ")).as("0x%02x", (int) c).isEqualTo(refused);
                assertThat(refused && gateway.isOpen()).as("open after 0x%02x", (int) c).isFalse();
            }
        }
    }

    static Stream<Arguments> byteIsAcceptedOnlyWhereTheGrammarAllows() {
        return Stream.of(
                Arguments.of("before a method", "", "GET / HTTP/1.1" + HOST + END, TOKEN),
                Arguments.of("in a method", "G", "T / HTTP/1.1" + HOST + END, TOKEN),
                Arguments.of("behind a method", "GET", "/ HTTP/1.1" + HOST + END, " "),
                Arguments.of("behind the space", "GET ", " HTTP/1.1" + HOST + END, "/"),
                Arguments.of("in a path", "GET /a", "b HTTP/1.1" + HOST + END, "!-~&&[^#%\\\\]"),
                Arguments.of("in a query", "GET /?a", "b HTTP/1.1" + HOST + END, "!-~&&[^#]"),
                Arguments.of("in a host of a target", "GET http://a", "b HTTP/1.1" + HOST + END,
                        "-._~!$&'()*+;=0-9A-Za-z/?"),
                Arguments.of("before a version", "GET /", "HTTP/1.1" + HOST + END, " "),
                Arguments.of("in a version", "GET / HTTP", "1.1" + HOST + END, "/"),
                Arguments.of("for a major version", "GET / HTTP/", ".1" + HOST + END, "0-9"),
                Arguments.of("for a minor version", "GET / HTTP/1.", HOST + END, "0-9"),
                Arguments.of("behind a version", "GET / HTTP/1.1", HOST + END, NOTHING),
                Arguments.of("before an LF", "GET / HTTP/1.1", HOST.substring(1) + END, "\r"),
                Arguments.of("for an LF", "GET / HTTP/1.1\r", HOST.substring(2) + END, "\n"),
                Arguments.of("before a name", GET, "X: a" + END, TOKEN),
                Arguments.of("in a name", GET + "X", "Y: a" + END, TOKEN + ':'),
                Arguments.of("before a colon", GET + "X", ": a" + END, TOKEN + ':'),
                Arguments.of("behind a colon", GET + "X:", "a" + END, TEXT),
                Arguments.of("in a value", GET + "X: a", "b" + END, TEXT),
                Arguments.of("behind a value", GET + "X: a", END, TEXT),
                Arguments.of("behind a header line", GET + "X: a\r\n", "b: c" + END, TOKEN),
                Arguments.of("in Host", "GET / HTTP/1.1\r\nHost: a", "b" + END, "-._~!$&'()*+;=0-9A-Za-z"),
                Arguments.of("for a port", "GET / HTTP/1.1\r\nHost: a:", END, "0-9 \t"),
                Arguments.of("in a length", "GET / HTTP/1.1" + HOST + "Content-Length: 1", "2" + END, "0-9"),
                Arguments.of("behind a length", GET + "Content-Length: 1", END, "0-9 \t"),
                Arguments.of("behind chunked", GET + "Transfer-Encoding: chunked", END + "0" + END, " \t,"),
                Arguments.of("before a chunk size", CHUNKED, "5" + REST, "0-9A-Fa-f"),
                Arguments.of("behind a chunk size", CHUNKED + "5", REST, "0-9A-Fa-f"),
                Arguments.of("before an extension", CHUNKED + "5", ";a" + REST, "0-9A-Fa-f \t"),
                Arguments.of("before an extension's name", CHUNKED + "5;", "a" + REST, TOKEN + " \t"),
                Arguments.of("in an extension's name", CHUNKED + "5;a", "b" + REST, TOKEN + ";="),
                Arguments.of("behind an extension's name", CHUNKED + "5;a", REST, TOKEN),
                Arguments.of("before an extension's value", CHUNKED + "5;a=", "b" + REST, TOKEN + " \t"),
                Arguments.of("in an extension's value", CHUNKED + "5;a=b", "c" + REST, TOKEN + ';'),
                Arguments.of("in a quote", CHUNKED + "5;a=\"b", "\"" + REST, TEXT + "&&[^\"\\\\]"),
                Arguments.of("escaped in a quote", CHUNKED + "5;a=\"\\", "\"" + REST, TEXT),
                Arguments.of("before the LF of a chunk size", CHUNKED + "5", REST.substring(1), "\r"),
                Arguments.of("for the LF of a chunk size", CHUNKED + "5\r", REST.substring(2), "\n"),
                Arguments.of("in a chunk", CHUNKED + "5\r\nhe", "lo" + REST.substring(7), "\\x00-\\xff"),
                Arguments.of("behind a chunk", CHUNKED + "5\r\nhello", "\n0\r\n\r\n", "\r"),
                Arguments.of("for the LF of a chunk", CHUNKED + "5\r\nhello\r", "0\r\n\r\n", "\n"),
                Arguments.of("before a trailer", CHUNKED + "0\r\n", "X: a" + END, TOKEN),
                Arguments.of("in a trailer's name", CHUNKED + "0\r\nX", "Y: a" + END, TOKEN + ':'),
                Arguments.of("behind a trailer's colon", CHUNKED + "0\r\nX:", "a" + END, TEXT),
                Arguments.of("in a trailer's value", CHUNKED + "0\r\nX: a", "b" + END, TEXT),
                Arguments.of("for the last CR", CHUNKED + "0\r\n", "\n", "\r"),
                Arguments.of("for the last LF", CHUNKED + "0\r\n\r", "\r\n", "\n"));
    }
}
