package io.sluice.handlers.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.FullHttpResponse;
import io.sluice.config.HandlerConfig;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ExchangeWrapper;
import io.sluice.handlers.FakeExchange;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextHandlerTest {
    private final Kept exchange = new Kept(new FakeExchange());

    /** An exchange that keeps its answers, as for a client that reads slowly. */
    private static final class Kept extends ExchangeWrapper {
        private final List<FullHttpResponse> responses = new ArrayList<>();

        Kept(Exchange wrapped) {
            super(wrapped);
        }

        @Override
        public boolean respond(FullHttpResponse response) {
            return responses.add(response);
        }

        void release() {
            responses.forEach(FullHttpResponse::release);
        }
    }

    private List<ByteBuf> twice(String text) {
        var handler = new TextHandler(new HandlerConfig.Text(text, "text/plain", 200));
        handler.handle(exchange);
        handler.handle(exchange);
        return exchange.responses.stream().map(response -> response.content()).toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4096, 4097, 100_000})
    void isReadFromItsBeginningByEveryone(int length) {
        String text = "ö".repeat(length / 2) + "a".repeat(length % 2);
        List<ByteBuf> answers = twice(text);

        answers.getFirst().skipBytes(length / 2).release();

        assertThat(answers.getLast().toString(StandardCharsets.UTF_8)).isEqualTo(text);
        answers.getLast().release();
    }

    @Test
    void itsStatusHasTheReasonPhraseOfToday() {
        new TextHandler(new HandlerConfig.Text("no", "text/plain", 422)).handle(exchange);

        assertThat(exchange.responses.getLast().status().reasonPhrase()).isEqualTo("Unprocessable Content");
        exchange.release();
    }

    @Test
    void eachAnswerHasAHeadOfItsOwn() {
        twice("a");

        exchange.responses.getFirst().headers().set("content-type", "text/html").add("x-a", "b");

        assertThat(exchange.responses.getLast().headers().entries())
                .containsExactly(Map.entry("content-type", "text/plain"));
        exchange.release();
    }

    @Test
    void isHeldOnceHoweverManyReadItSlowly() {
        List<ByteBuf> answers = twice("a".repeat(5000));

        assertThat(answers.getFirst().memoryAddress()).isEqualTo(answers.getLast().memoryAddress());
        exchange.release();
    }
}
