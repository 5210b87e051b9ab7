package io.sluice.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.handlers.ClientRequest.Answer;
import java.io.IOException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract of answers: one for each request, from any thread, also for errors. */
interface ResponseContract extends ExchangeTestBed {

    @Test
    default void aHandlerSeesTheRequest() {
        TestRequest request = get(exchange -> text(exchange, Stream.of(exchange.request().method(),
                        exchange.path(), exchange.queryParameter("q"), exchange.queryParameter("none"),
                        exchange.hasBody(), exchange.eventLoop().inEventLoop())
                .map(String::valueOf).collect(Collectors.joining(" "))));

        assertThat(request.answer().body()).isEqualTo("GET /exchange 1 null false true");
        assertThat(request.exchange().requestId()).isNotEmpty();
        assertThat(request.exchange().client().address()).isEqualTo(request.exchange().clientAddress());
        assertThat(request.exchange().clientAddress().getAddress()).isNotNull();
    }

    @Test
    default void theFirstAnswerIsTheOnlyOne() {
        TestRequest request = get(exchange -> {
            assertThat(text(exchange, "first")).isTrue();
            ByteBuf second = buffer(exchange, "second");
            assertThat(exchange.respond(HttpResponseStatus.OK, "text/plain", second)).isFalse();
            assertThat(second.refCnt()).isZero();
            assertThat(stream(exchange)).isNull();
            exchange.fail(new IOException("third"));
        });

        assertThat(request.answer()).extracting(Answer::status, Answer::body).containsExactly(200, "first");
    }

    @Test
    default void anotherThreadMayAnswer() {
        TestRequest request = get(_ -> { });
        boolean first = request.elsewhere(exchange -> text(exchange, "first"));
        boolean second = request.elsewhere(exchange -> text(exchange, "second"));

        assertThat(request.answer()).extracting(Answer::status, Answer::body).containsExactly(200, "first");
        assertThat(first).isTrue();
        assertThat(second).isFalse();
    }

    @Test
    default void aHandlerMayThrowAnAnswer() {
        Answer answer = ask(_ -> {
            throw new HttpException(HttpResponseStatus.CONFLICT, "taken", new IOException("secret"));
        });

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.body()).contains("taken").doesNotContain("secret");
    }

    @Test
    default void exceptionsOfAHandlerAreNotDisclosed() {
        Answer answer = ask(_ -> {
            throw new IOException("secret");
        });

        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.body()).isNotEmpty().doesNotContain("secret", "IOException");
    }

    @Test
    default void aHandlerThatThrowsAfterItsAnswerHasAnswered() {
        Answer answer = ask(exchange -> {
            text(exchange, "done");
            throw new IllegalStateException("too late");
        });

        assertThat(answer).extracting(Answer::status, Answer::body).containsExactly(200, "done");
    }

    @Test
    default void anotherThreadMayFail() {
        TestRequest request = get(_ -> { });
        request.on(false, exchange -> exchange.fail(
                new HttpException(HttpResponseStatus.BAD_GATEWAY, "it is gone")));

        assertThat(request.answer().status()).isEqualTo(502);
        assertThat(text(request.exchange(), "too late")).isFalse();
    }

    @Test
    default void anAnswerMayBeAnnounced() {
        Answer answer = ask(exchange -> {
            exchange.inform(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.EARLY_HINTS));
            assertThatThrownBy(() -> exchange.inform(
                    new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS)))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> exchange.inform(head())).isInstanceOf(IllegalArgumentException.class);
            text(exchange, "done");
        });

        assertThat(answer).extracting(Answer::status, Answer::body).containsExactly(200, "done");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    default void headGetsNoBody(boolean streamed) {
        TestRequest request = begin("HEAD", 0, exchange -> {
            if (streamed) {
                ResponseStream stream = stream(exchange);
                stream.write(buffer(exchange, "body"));
                assertThat(stream.isWritable()).isTrue();
                stream.end();
            } else {
                text(exchange, "body");
            }
        }).end();

        Answer answer = request.answer();
        assertThat(answer.isSuccess()).isTrue();
        assertThat(answer.body()).isEmpty();
    }
}
