package io.sluice.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.sluice.handlers.ClientRequest.Answer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract of streamed bodies, of their back-pressure, and of headers. */
interface PiecesContract extends ExchangeTestBed {
    int PIECE = 8 * 1024;
    /** One second until the answer begins, and one second without progress. */
    TimeLimits WITHIN_A_SECOND = new TimeLimits(Optional.empty(), Optional.of(Duration.ofSeconds(1)),
            Optional.of(Duration.ofSeconds(1)));

    /** Records the events of a body, and goes on reading or pauses. */
    record Noting(Queue<String> events, boolean readsOn, Runnable atEnd) implements Exchange.BodyReader {
        @Override
        public boolean content(ByteBuf content) {
            events.add(content.toString(StandardCharsets.US_ASCII));
            content.release();
            return readsOn;
        }

        @Override
        public void end(HttpHeaders trailers) {
            events.add("end");
            atEnd.run();
        }
    }

    // --- the request's body

    @Test
    default void aReaderIsToldAsTheyCome() {
        Queue<String> events = new ConcurrentLinkedQueue<>();
        TestRequest request = begin("POST", -1, exchange ->
                exchange.streamBody(new Noting(events, true, () -> text(exchange, "read"))));
        request.send("one");
        request.until(() -> events.contains("one"));
        request.send("two").end();

        assertThat(request.answer().body()).isEqualTo("read");
        assertThat(events).containsExactly("one", "two", "end");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    default void aReaderThatWaitsGetsNothingMore(boolean fromLoop) {
        Queue<String> events = new ConcurrentLinkedQueue<>();
        TestRequest request = begin("POST", -1, exchange ->
                exchange.streamBody(new Noting(events, false, () -> text(exchange, "read"))));
        request.send("one");
        request.until(() -> events.contains("one"));
        request.send("two");
        assertThat(events).containsExactly("one");
        request.on(fromLoop, Exchange::resumeBody);
        request.until(() -> events.contains("two"));
        request.end();
        request.on(fromLoop, Exchange::resumeBody);

        assertThat(request.answer().body()).isEqualTo("read");
        assertThat(events).containsExactly("one", "two", "end");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    default void aBodyThatOutgrowsItsBoundIsRefused(boolean collected) {
        Queue<String> events = new ConcurrentLinkedQueue<>();
        TestRequest request = begin("POST", -1, exchange -> {
            exchange.limitBody(5);
            exchange.onResponse(head -> head.headers().set("x-edited", "yes"));
            exchange.onAbort(() -> events.add("aborted"));
            if (collected) {
                exchange.readBody(_ -> events.add("end"));
            } else {
                exchange.streamBody(new Noting(events, true, () -> { }));
            }
        });
        request.send("12345", "6");

        Answer answer = request.answer();
        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.headers()).containsEntry("x-edited", "yes");
        request.until(() -> events.contains("aborted"));
        assertThat(events).doesNotContain("6", "end");
    }

    @Test
    default void aClientThatLeavesDoesNotEndItsBody() {
        Queue<String> events = new ConcurrentLinkedQueue<>();
        TestRequest request = begin("POST", -1, exchange -> {
            exchange.onAbort(() -> events.add("aborted"));
            exchange.streamBody(new Noting(events, true, () -> { }));
        });
        request.send("half");
        request.until(() -> events.contains("half"));
        request.leave();

        request.until(() -> events.contains("aborted"));
        assertThat(events).containsExactly("half", "aborted");
    }

    /** The client's pace is limited by server.timeouts, not by the time that the handler may take. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    default void aBodyThatComesSlowlyIsNotLate(boolean answered) {
        var stream = new AtomicReference<ResponseStream>();
        Queue<String> events = new ConcurrentLinkedQueue<>();
        TestRequest request = begin("POST", -1, exchange -> {
            exchange.limitTime(WITHIN_A_SECOND);
            exchange.streamBody(new Noting(events, true, () -> { }));
            if (answered) {
                stream.set(stream(exchange));
                stream.get().write(buffer(exchange, "half"));
            }
        });
        request.exchange();
        for (int n = 0; n < 2; n++) {
            request.send("a").pass(Duration.ofSeconds(3));
        }
        request.end().pass(Duration.ofMillis(800));
        assertThat(events).containsExactly("a", "a", "end");
        assertThat(stream.get() == null || stream.get().isWritable()).isTrue();
        request.pass(Duration.ofSeconds(1));

        assertThat(request.answer())
                .matches(answer -> answered ? !answer.isSuccess() : answer.status() == 504);
    }

    @Test
    default void aBodyThatIsReadSlowlyIsLate() {
        Queue<String> events = new ConcurrentLinkedQueue<>();
        TestRequest request = begin("POST", -1, exchange -> {
            exchange.limitTime(WITHIN_A_SECOND);
            exchange.streamBody(new Noting(events, false, () -> { }));
        });
        request.send("a");
        request.until(() -> events.contains("a"));
        request.pass(Duration.ofSeconds(2));

        assertThat(request.answer().status()).isEqualTo(504);
    }

    // --- the answer

    @Test
    default void editsAreSeen() {
        Answer answer = ask(exchange -> {
            exchange.onResponse(head -> head.headers().add("x-outer", head.headers().get("x-inner")));
            exchange.onResponse(head -> head.headers().set("x-inner", "yes"));
            text(exchange, "done");
        });

        assertThat(answer.headers()).containsEntry("x-outer", "yes");
    }

    @Test
    default void editsOfAStreamAreSeen() {
        Answer answer = ask(exchange -> {
            exchange.onResponse(head -> head.headers().set("x-edited", "yes"));
            stream(exchange).end();
        });

        assertThat(answer.headers()).containsEntry("x-edited", "yes");
        assertThat(answer.isSuccess()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"GET, true", "GET, false", "HEAD, true", "HEAD, false"})
    default void aFlushedHeadComesBeforeItsBody(String method, boolean onLoop) {
        var stream = new AtomicReference<ResponseStream>();
        TestRequest request = begin(method, 0, _ -> { }).end();
        request.on(onLoop, exchange -> {
            stream.set(stream(exchange));
            stream.get().flush();
        });
        assertThat(request.awaitHead()).isEqualTo(200);
        request.on(onLoop, exchange -> {
            stream.get().write(buffer(exchange, "late"));
            stream.get().flush();
            stream.get().end();
            stream.get().flush();
        });

        Answer answer = request.answer();
        assertThat(answer.isSuccess()).isTrue();
        assertThat(answer.body()).isEqualTo(method.equals("GET") ? "late" : "");
    }

    /** The client's pace is limited by server.timeouts, not by the time that the handler may take. */
    @Test
    default void anAnswerThatIsReadSlowlyIsNotIdle() {
        var left = new AtomicReference<>(1000);
        TestRequest request = get(exchange -> {
            exchange.limitTime(WITHIN_A_SECOND);
            ResponseStream stream = stream(exchange);
            Runnable write = () -> {
                while (stream.isWritable() && left.get() > 0) {
                    stream.write(exchange.alloc().buffer(PIECE).writeBytes(new byte[PIECE]));
                    left.updateAndGet(n -> n - 1);
                }
                if (left.get() == 0) {
                    stream.end();
                }
            };
            stream.onWritable(write);
            write.run();
        });
        request.exchange();
        request.pass(Duration.ofSeconds(5));
        assertThat(left.get()).isPositive();

        Answer answer = request.answer();
        assertThat(answer.isSuccess()).isTrue();
        assertThat(answer.body()).hasSize(1000 * PIECE);
    }
}
