package io.sluice.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.handlers.ClientRequest.Answer;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract of streamed answers: a client can tell an incomplete answer from a complete one. */
interface StreamContract extends ExchangeTestBed {

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    default void piecesArriveInOrder(boolean onLoop) {
        TestRequest request = get(_ -> { });
        request.on(onLoop, exchange -> {
            ResponseStream stream = stream(exchange);
            IntStream.range(0, 100).forEach(n -> stream.write(buffer(exchange, n + " ")));
            stream.end();
        });

        assertThat(request.answer()).satisfies(answer -> assertThat(answer.isSuccess()).isTrue())
                .extracting(Answer::body)
                .isEqualTo(IntStream.range(0, 100).mapToObj(n -> n + " ").collect(Collectors.joining()));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    default void longPiecesArriveInOrder(boolean onLoop) {
        String text = IntStream.range(0, 200_000).mapToObj(n -> n + " ").collect(Collectors.joining());
        TestRequest request = get(_ -> { });
        request.on(onLoop, exchange -> {
            ResponseStream stream = stream(exchange);
            stream.write(buffer(exchange, text));
            stream.write(buffer(exchange, "short"));
            stream.write(buffer(exchange, text));
            stream.end();
        });

        assertThat(request.answer()).satisfies(answer -> assertThat(answer.isSuccess()).isTrue())
                .extracting(Answer::body).isEqualTo(text + "short" + text);
    }

    @Test
    default void aStreamIsTheOneAnswer() {
        TestRequest request = get(exchange -> {
            ResponseStream stream = stream(exchange);
            ByteBuf whole = buffer(exchange, "whole");
            assertThat(exchange.respond(HttpResponseStatus.OK, "text/plain", whole)).isFalse();
            assertThat(whole.refCnt()).isZero();
            assertThat(stream(exchange)).isNull();
            stream.write(buffer(exchange, "streamed"));
            stream.end();
        });

        assertThat(request.answer()).extracting(Answer::status, Answer::body)
                .containsExactly(200, "streamed");
    }

    @Test
    default void nothingIsWrittenBehindTheEnd() {
        TestRequest request = get(exchange -> {
            ResponseStream stream = stream(exchange);
            stream.write(buffer(exchange, "all"));
            stream.end();
            ByteBuf late = buffer(exchange, " and more");
            stream.write(late);
            assertThat(late.refCnt()).isZero();
            stream.end();
        });

        assertThat(request.answer()).extracting(Answer::status, Answer::body).containsExactly(200, "all");
    }

    @Test
    default void itMayEndWithTrailers() {
        Answer answer = ask(exchange -> {
            ResponseStream stream = stream(exchange);
            stream.write(buffer(exchange, "all"));
            var forbidden = new DefaultHttpHeaders().set(HttpHeaderNames.CONTENT_LENGTH, 3);
            assertThatThrownBy(() -> stream.end(forbidden)).isInstanceOf(IllegalArgumentException.class);
            stream.end(new DefaultHttpHeaders().set("x-check", "1"));
        });

        assertThat(answer).extracting(Answer::status, Answer::body).containsExactly(200, "all");
        assertThat(answer.isSuccess()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    default void failedStreamIsCutOff(boolean onLoop) {
        Queue<String> events = new ConcurrentLinkedQueue<>();
        TestRequest request = get(exchange -> exchange.onAbort(() -> events.add("aborted")));
        request.on(onLoop, exchange -> {
            ResponseStream stream = stream(exchange);
            stream.onWritable(() -> events.add("woken"));
            stream.write(buffer(exchange, "half"));
            exchange.fail(new IOException("it broke"));
        });

        assertThat(request.answer().isSuccess()).isFalse();
        request.until(() -> events.size() >= 2);
        assertThat(events).containsExactlyInAnyOrder("aborted", "woken");
    }

    @Test
    default void streamOfAThrowingHandlerIsCutOff() {
        Answer answer = ask(exchange -> {
            stream(exchange).write(buffer(exchange, "half"));
            throw new IllegalStateException("it broke");
        });

        assertThat(answer.isSuccess()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5})
    default void streamOfAnotherLengthThanDeclaredIsCutOff(int length) {
        Answer answer = ask(exchange -> {
            HttpResponse head = head();
            head.headers().set(HttpHeaderNames.CONTENT_LENGTH, length);
            ResponseStream stream = exchange.stream(head);
            stream.write(buffer(exchange, "half"));
            stream.end();
        });

        assertThat(answer.isSuccess()).isFalse();
    }

    @Test
    default void itsWriterIsWokenAtTheEnd() {
        Queue<Boolean> woken = new ConcurrentLinkedQueue<>();
        TestRequest request = get(exchange -> {
            ResponseStream stream = stream(exchange);
            stream.onWritable(() -> woken.add(exchange.eventLoop().inEventLoop()));
            stream.write(buffer(exchange, "half"));
        });
        request.exchange();
        request.leave();

        request.until(() -> !woken.isEmpty());
        assertThat(woken).containsOnly(true);
    }
}
