package io.sluice.gateway.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.sluice.config.PoolConfig;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.Mistake;
import io.sluice.offload.Deadline;
import io.sluice.offload.Offload;
import io.sluice.offload.OffloadException.DeadlineExceeded;
import io.sluice.offload.OffloadException.Refused;
import io.sluice.offload.PoolObserver;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ErrorMapperTest {
    private static final PoolConfig ONE_WORKER =
            PoolConfig.of(PoolConfig.Kind.PLATFORM, 1, 1, Duration.ofSeconds(9));

    @Test
    void describesAProblemInJson() {
        JsonNode problem = body(new HttpException(HttpResponseStatus.NOT_FOUND, "no \"such\" thing"), 404);

        assertThat(problem.propertyNames())
                .containsExactly("type", "title", "status", "detail", "instance", "requestId");
        assertThat(problem.get("type").asString()).isEqualTo("about:blank");
        assertThat(problem.get("instance").asString()).isEqualTo("urn:sluice:request:id-1");
        assertThat(problem.get("title").asString()).isEqualTo("Not Found");
        assertThat(problem.get("status").asInt()).isEqualTo(404);
        assertThat(problem.get("detail").asString()).isEqualTo("no \"such\" thing");
        assertThat(problem.get("requestId").asString()).isEqualTo("id-1");
    }

    /** RFC 9110 section 15.5. */
    @ParameterizedTest
    @CsvSource({"413, Content Too Large", "414, URI Too Long", "416, Range Not Satisfiable",
        "422, Unprocessable Content", "431, Request Header Fields Too Large"})
    void namesTheStatusAsToday(int status, String phrase) {
        var cause = new HttpException(HttpResponseStatus.valueOf(status), "no");
        FullHttpResponse answer = ErrorMapper.answer(cause, "id-1", ByteBufAllocator.DEFAULT);
        answer.release();

        assertThat(answer.status().reasonPhrase()).isEqualTo(phrase);
        assertThat(body(cause, status).get("title").asString()).isEqualTo(phrase);
    }

    @Test
    void namesEachMistakeOfARequestUpToABound() {
        List<Mistake> mistakes = IntStream.range(0, 50)
                .mapToObj(i -> Mistake.ofElement("ids", i, "x".repeat(5000))).toList();
        JsonNode problem = body(HttpException.badRequest(mistakes), 400);

        assertThat(problem.get("type").asString()).isEqualTo("urn:sluice:problem:invalid-request");
        assertThat(problem.get("detail").asString()).startsWith("ids/0: xxx").endsWith(" (and 49 more)");
        assertThat(problem.get("errors").size()).isEqualTo(32);
        assertThat(problem.get("errors").get(31).get("pointer").asString()).isEqualTo("#/ids/31");
        assertThat(problem.get("errors").get(31).get("detail").asString()).hasSize(1001);
    }

    @ParameterizedTest
    @ValueSource(classes = {IOException.class, IllegalStateException.class, NullPointerException.class,
        StackOverflowError.class})
    void internalErrorsAreNotDisclosed(Class<? extends Throwable> type) throws Exception {
        Throwable cause = type.getConstructor(String.class).newInstance("secret");

        assertThat(body(cause, 500).toString()).doesNotContain("secret", type.getSimpleName());
    }

    @Test
    void tellsTheDetailAndNotTheCause() {
        var cause = new HttpException(HttpResponseStatus.BAD_GATEWAY, "upstream", new IOException("secret"));

        assertThat(body(cause, 502).toString()).contains("upstream").doesNotContain("secret", "IOException");
    }

    @Test
    void refusalHasRetryAfter() throws Exception {
        var pool = Offload.start("test", ONE_WORKER, PoolObserver.NONE);
        pool.close();
        Throwable refused = failure(pool.submit(soon(), GlobalEventExecutor.INSTANCE, _ -> 0));

        assertThat(refused).isInstanceOfSatisfying(Refused.class, e -> assertThat(retryAfter(e)).isEqualTo(
                Math.max(1, (e.retryAfter().toMillis() + 999) / 1000)));
        assertThat(body(refused, 503).toString()).doesNotContain("pool");
    }

    @Test
    void answersWorkThatTookTooLongWith504() throws Exception {
        var end = new CountDownLatch(1);
        try (var pool = Offload.start("test", ONE_WORKER, PoolObserver.NONE)) {
            Throwable late = failure(pool.submit(Deadline.after(Duration.ofMillis(50)),
                    GlobalEventExecutor.INSTANCE, _ -> end.await(1, TimeUnit.MINUTES)));
            end.countDown();

            assertThat(late).isInstanceOf(DeadlineExceeded.class);
            assertThat(body(late, 504).toString()).doesNotContain("pool");
        }
    }

    static Stream<Throwable> shortages() {
        var noDescriptor = new SocketException("Too many open files");
        return Stream.of(
                new OutOfMemoryError("Cannot reserve 16 MiB"),
                new FileNotFoundException("/secret (Too many open files)"),
                new SQLException("secret", "08001", noDescriptor));
    }

    @ParameterizedTest
    @MethodSource("shortages")
    void resourceShortageGets503WithRetryAfter(Throwable shortage) {
        assertThat(body(shortage, 503).get("detail").asString())
                .startsWith("the gateway is short of resources");
        assertThat(body(shortage, 503).toString()).doesNotContain("secret", "database", "reserve");
        assertThat(retryAfter(shortage)).isOne();
        assertThat(ErrorMapper.status(shortage)).isEqualTo(HttpResponseStatus.SERVICE_UNAVAILABLE);
    }

    @Test
    void answersAnErrorAndClosesTheConnection() {
        assertThat(connection(new OutOfMemoryError())).isEqualTo("close");
        assertThat(connection(new StackOverflowError())).isEqualTo("close");
        assertThat(connection(new SocketException("Too many open files"))).isNull();
    }

    private static String connection(Throwable cause) {
        FullHttpResponse answer = ErrorMapper.answer(cause, "id-1", ByteBufAllocator.DEFAULT);
        answer.release();
        return answer.headers().get(HttpHeaderNames.CONNECTION);
    }

    @Test
    void answersCancelledWorkWith503() {
        assertThat(body(new CancellationException("secret"), 503).toString()).doesNotContain("secret");
    }

    @Test
    void knowsTheStatusWithoutAnAnswer() {
        assertThat(ErrorMapper.status(new HttpException(HttpResponseStatus.CONFLICT, "x")))
                .isEqualTo(HttpResponseStatus.CONFLICT);
        assertThat(ErrorMapper.status(new IOException())).isEqualTo(HttpResponseStatus.INTERNAL_SERVER_ERROR);
    }

    private static Deadline soon() {
        return Deadline.after(Duration.ofMinutes(1));
    }

    private static Throwable failure(Future<?> future) throws InterruptedException {
        assertThat(future.await(30_000)).isTrue();
        return future.cause();
    }

    private static long retryAfter(Throwable cause) {
        FullHttpResponse answer = ErrorMapper.answer(cause, "id-1", ByteBufAllocator.DEFAULT);
        answer.release();
        return Long.parseLong(answer.headers().get(HttpHeaderNames.RETRY_AFTER));
    }

    private static JsonNode body(Throwable cause, int status) {
        FullHttpResponse answer = ErrorMapper.answer(cause, "id-1", ByteBufAllocator.DEFAULT);
        try {
            assertThat(answer.status().code()).isEqualTo(status);
            assertThat(answer.headers().get(HttpHeaderNames.CONTENT_TYPE))
                    .isEqualTo("application/problem+json");
            return JsonMapper.shared().readTree(answer.content().toString(StandardCharsets.UTF_8));
        } finally {
            answer.release();
        }
    }
}
