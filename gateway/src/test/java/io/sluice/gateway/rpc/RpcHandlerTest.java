package io.sluice.gateway.rpc;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AttributeMap;
import io.sluice.config.TokenConfig;
import io.sluice.config.type.Method;
import io.sluice.config.type.PathTemplate;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.filter.Tokens;
import io.sluice.gateway.routing.Route;
import io.sluice.gateway.rpc.RpcTestBed.Ended;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ExchangeWrapper;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.WebSocketListener;
import io.sluice.handlers.http.EchoHandler;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.MDC;
import tools.jackson.databind.JsonNode;

/** Requests over {@code ws-rpc} as handlers see them, and answers as clients see them. */
class RpcHandlerTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final Map<String, Exchange> waiting = new ConcurrentHashMap<>();
    private final Queue<String> seen = new ConcurrentLinkedQueue<>();
    private final RpcTestBed bed = new RpcTestBed(
            route("/hello", Set.of(Method.GET), LONG, exchange -> answer(exchange, "hello")),
            route("/wait/{name}", exchange -> waiting.put(exchange.pathParameter("name"), exchange)),
            route("/echo/**", new EchoHandler()),
            route("/parameters/{a}", Set.of(Method.GET), LONG, exchange -> answer(exchange,
                    exchange.pathParameter("a") + '|' + exchange.queryParameter("b") + '|'
                            + exchange.queryParameter("c"))),
            new Route("small", PathTemplate.parse("/small"), Set.of(Method.PUT), "test",
                    HandlerServer.limits(LONG, 5).around(exchange -> exchange.readBody(body ->
                            answer(exchange, body.toString(StandardCharsets.UTF_8) + exchange.hasBody())))),
            restrictedTo("somebody", "/mine"), restrictedTo("another", "/theirs"),
            route("/refuse", _ -> {
                throw new HttpException(HttpResponseStatus.CONFLICT, "not now");
            }),
            route("/fail", _ -> {
                throw new IllegalStateException("secret");
            }),
            route("/empty", exchange -> exchange.respond(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1,
                    HttpResponseStatus.NO_CONTENT, Unpooled.EMPTY_BUFFER))),
            route("/context", exchange -> answer(exchange, exchange.requestId() + ' ' + MDC.get("requestId")
                    + ' ' + exchange.caller() + ' ' + exchange.clientAddress().getPort() + ' '
                    + exchange.headers().get(HttpHeaderNames.HOST))));

    private static Route restrictedTo(String name, String path) {
        return new Route(path, PathTemplate.parse(path), Set.of(Method.GET), "test",
                new Tokens(Map.of("somebody", new TokenConfig(RpcTestBed.TOKEN)))
                        .access(Optional.of(Set.of(name)))
                        .around(exchange -> answer(exchange, "in")));
    }

    @AfterEach
    void close() {
        bed.close();
    }

    @Test
    void answersComeAsTheyAreDone() {
        bed.send("{'id':1,'path':'/wait/a'}", "{'id':'two','path':'/wait/b'}", "{'path':'/hello'}");
        assertThat(bed.answer()).isEqualTo("{'id':null,'status':200,'body':'hello'}");

        answer(waiting.get("b"), "b");
        assertThat(bed.answer()).isEqualTo("{'id':'two','status':200,'body':'b'}");
        answer(waiting.get("a"), "a");
        assertThat(bed.answer()).isEqualTo("{'id':1,'status':200,'body':'a'}");

        assertThat(bed.ended).containsExactly(
                new Ended("socket-3", "GET", "/hello", 200, 5),
                new Ended("socket-2", "GET", "/wait/{name}", 200, 1),
                new Ended("socket-1", "GET", "/wait/{name}", 200, 1));
    }

    @Test
    void idsNeedNotBeDistinct() {
        bed.send("{'id':1,'path':'/hello'}", "{'id':1,'path':'/hello'}");

        assertThat(bed.answer()).isEqualTo(bed.answer());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "{'path':'/parameters/x'}                               | `x|null|null`",
        "{'path':'/parameters/%20%2F','query':{'b':'&','c':[1]}}   | ` /|&|1`",
        "{'path':'/parameters/y','query':{'b':'+ %','c':'é'}}   | `y|+ %|é`",
    })
    void parametersArriveDecoded(String message, String parameters) {
        assertThat(bed.ask(message)).isEqualTo("{'id':null,'status':200,'body':'" + parameters + "'}");
    }

    @Test
    void aRequestInheritsFromItsSocket() {
        bed.ask("{'path':'/hello'}");
        assertThat(bed.ask("{'path':'/context'}")).isEqualTo(
                "{'id':null,'status':200,'body':'socket-2 socket-2 somebody 4711 sluice.test:80'}");

        JsonNode described = RpcTestBed.body(bed.ask("{'path':'/echo/a%20b','query':{'c':1}}"));
        assertThat(described.get("target").asString()).isEqualTo("/echo/a%20b?c=1");
        assertThat(described.get("path").asString()).isEqualTo("/echo/a b");
        assertThat(described.get("version").asString()).isEqualTo("HTTP/1.1");
        assertThat(described.get("client").asString()).isEqualTo("192.0.2.1");
        assertThat(described.get("requestId").asString()).isEqualTo("socket-3");
    }

    @Test
    void handshakeValuesAreInheritedByRequests() {
        bed.send("{'path':'/wait/a'}");
        WebSocketListener other = bed.handler.accept(new ExchangeWrapper(waiting.get("a")) {
            @Override
            public AttributeMap connection() {
                return new EmbeddedChannel();
            }
        });
        assertThat(((RpcSession) other).credential().caller()).isEqualTo("somebody");
        var socket = new FakeSocket(bed.socket.eventLoop(), other);
        socket.receive("{\"path\":\"/context\"}");
        assertThat(socket.sent).singleElement().asString()
                .contains("socket-1 socket-1 somebody 4711 sluice.test:80");
        bed.ended.clear();
        answer(waiting.get("a"), "");
        bed.answer();
    }

    @Test
    void aRouteIsOpenToTheTokenOfTheSocket() {
        assertThat(bed.ask("{'path':'/mine'}")).isEqualTo("{'id':null,'status':200,'body':'in'}");
    }

    @Test
    void aBodyArrivesAsItCame() {
        assertThat(bed.ask("{'id':1,'method':'POST','path':'/echo','body': {'a' : [1.50,'ü'] } }"))
                .isEqualTo("{'id':1,'status':200,'body':{'a' : [1.50,'ü'] }}");
        assertThat(bed.ask("{'method':'POST','path':'/echo','body':null}"))
                .isEqualTo("{'id':null,'status':200,'body':null}");
        assertThat(bed.ask("{'method':'PUT','path':'/small','body':1234}"))
                .isEqualTo("{'id':null,'status':200,'body':'1234true'}");
        assertThat(bed.ask("{'method':'PUT','path':'/small'}"))
                .isEqualTo("{'id':null,'status':200,'body':'false'}");
    }

    @Test
    void aBodyThatNobodyReadsIsDropped() {
        assertThat(bed.ask("{'path':'/hello','body':[1]}")).contains("hello");
        assertThat(bed.ask("{'path':'/nowhere','body':[1]}")).contains("404");
        bed.send("{'path':'/wait/a','body':[1]}");
        Exchange exchange = waiting.get("a");
        answer(exchange, "a");
        bed.answer();
        assertThatIllegalStateException().isThrownBy(() -> exchange.readBody(_ -> { }));
    }

    @Test
    void aBodyCanBeReadLater() {
        bed.send("{'path':'/wait/a','body':'x'}");
        Exchange exchange = waiting.get("a");
        exchange.eventLoop().execute(() -> {
            exchange.readBody(body -> {
                seen.add("read");
                answer(exchange, body.toString(StandardCharsets.UTF_8));
            });
            seen.add("asked for");
        });
        assertThat(bed.answer()).isEqualTo("{'id':null,'status':200,'body':'\\'x\\''}");
        assertThat(seen).containsExactly("asked for", "read");
    }

    @Test
    void aBodyAboveTheRoutesLimitIsRefused() {
        assertThat(bed.ask("{'id':1,'method':'PUT','path':'/small','body':123456}")).isEqualTo(
                "{'id':1,'status':413,'body':{'type':'about:blank','title':'Content Too Large',"
                        + "'status':413,'detail':'the body is too large (expected: at most 5 bytes)',"
                        + "'instance':'urn:sluice:request:socket-1','requestId':'socket-1'}}");
        assertThat(bed.ended).extracting(Ended::uri).containsExactly("/small");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "{'id':1,'path':'/nowhere'}                    | 404 | no route for this path | UNKNOWN",
        "{'id':1,'path':'/hello','method':'POST'}      | 405 | this path is for GET, HEAD, OPTIONS | UNKNOWN",
        "{'id':1,'path':'/theirs'}                     | 403 | this token is for other routes | /theirs",
        "{'id':1,'path':'/refuse'}                     | 409 | not now | /refuse",
        "{'id':1,'path':'/fail'}                       | 500"
                + " | internal error; search the log for the requestId | /fail",
        "{'id':1}                                      | 400"
                + " | path: missing (expected: one that begins with /) | UNKNOWN",
        "{'id':1,'path':'/hello','method':'BREW'}      | 405 | this path is for GET, HEAD, OPTIONS | UNKNOWN",
    })
    void errorsAreAnsweredAsOverHttp(String message, int status, String detail, String uri) {
        String answer = bed.ask(message);

        assertThat(answer).startsWith("{'id':1,'status':" + status + ",'body':{'type':'about:blank',");
        JsonNode problem = RpcTestBed.body(answer);
        assertThat(problem.get("status").asInt()).isEqualTo(status);
        assertThat(problem.get("detail").asString()).isEqualTo(detail);
        assertThat(problem.get("requestId").asString()).isEqualTo("socket-1");
        assertThat(bed.ended).singleElement().satisfies(ended -> {
            assertThat(ended.status()).isEqualTo(status);
            assertThat(ended.uri()).isEqualTo(uri);
        });
    }

    @Test
    void optionsAndHeadAndNoContentHaveNoBody() {
        assertThat(bed.ask("{'path':'/hello','method':'OPTIONS'}")).isEqualTo("{'id':null,'status':204}");
        assertThat(bed.ask("{'path':'/hello','method':'HEAD'}")).isEqualTo("{'id':null,'status':200}");
        assertThat(bed.ask("{'path':'/nowhere','method':'HEAD'}")).isEqualTo("{'id':null,'status':404}");
        assertThat(bed.ask("{'path':'/empty'}")).isEqualTo("{'id':null,'status':204}");
        assertThat(bed.ended).extracting(Ended::bytes).containsOnly(0L);
    }

    @Test
    void theFirstAnswerWins() throws Exception {
        bed.send("{'path':'/wait/a'}");
        Exchange exchange = waiting.get("a");
        Thread worker = Thread.ofPlatform().start(() -> seen.add("first " + answer(exchange, "a")));
        worker.join();
        seen.add("second " + answer(exchange, "b"));
        exchange.fail(new IllegalStateException("too late"));

        assertThat(exchange.stream(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK)))
                .isNull();
        assertThat(bed.answer()).contains("'a'");
        assertThat(seen).containsExactly("first true", "second false");
    }
}
