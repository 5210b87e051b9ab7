package io.sluice.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AttributeKey;
import io.sluice.handlers.ClientRequest.Answer;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract of filters: they wrap an exchange, pass it on later, set attributes, and edit the answer. */
interface FilterContract extends ExchangeTestBed {
    AttributeKey<String> FINDING = AttributeKey.valueOf(FilterContract.class, "FINDING");

    /** An exchange that counts the answers of one piece. */
    final class Counting extends ExchangeWrapper {
        private final AtomicReference<Integer> answers = new AtomicReference<>(0);

        Counting(Exchange wrapped) {
            super(wrapped);
        }

        @Override
        public boolean respond(FullHttpResponse response) {
            answers.updateAndGet(n -> n + 1);
            return super.respond(response);
        }
    }

    // --- filters that go on later

    @Test
    default void aRequestGoesOnOnItsLoop() {
        TestRequest request = get(_ -> { });
        request.on(false, asked -> asked.proceed(
                exchange -> text(exchange, "on its loop: " + exchange.eventLoop().inEventLoop())));

        assertThat(request.answer().body()).isEqualTo("on its loop: true");
    }

    @Test
    default void proceedOnTheLoopRunsAtOnce() {
        Answer answer = ask(exchange -> {
            var inside = new AtomicReference<String>("");
            exchange.proceed(_ -> inside.set("at once"));
            text(exchange, inside.get());
        });

        assertThat(answer.body()).isEqualTo("at once");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    default void exceptionAfterProceedBecomesTheResponse(boolean foreseen) {
        TestRequest request = get(_ -> { });
        request.on(false, exchange -> exchange.proceed(_ -> {
            throw foreseen ? new HttpException(HttpResponseStatus.CONFLICT, "taken")
                    : new Exception("secret");
        }));

        assertThat(request.answer().status()).isEqualTo(foreseen ? 409 : 500);
    }

    @Test
    default void proceedAfterTheResponseDoesNothing() {
        Queue<String> events = new ConcurrentLinkedQueue<>();
        TestRequest request = get(exchange -> text(exchange, "done"));
        assertThat(request.answer().body()).isEqualTo("done");
        request.on(false, exchange -> exchange.proceed(_ -> events.add("went on")));
        request.on(true, exchange -> exchange.proceed(_ -> events.add("went on")));

        assertThat(events).isEmpty();
    }

    @Test
    default void proceedAfterADisconnectDoesNothing() {
        Queue<String> events = new ConcurrentLinkedQueue<>();
        TestRequest request = get(exchange -> exchange.onAbort(() -> events.add("aborted")));
        request.exchange();
        request.leave();
        request.until(() -> !events.isEmpty());
        request.on(false, exchange -> exchange.proceed(_ -> events.add("went on")));
        request.on(true, exchange -> exchange.proceed(_ -> events.add("went on")));

        assertThat(events).containsExactly("aborted");
    }

    @Test
    default void theTimeOfAFilterThatWaitsCounts() {
        TestRequest request = get(exchange -> exchange.limitTime(TimeLimits.ofTotal(Duration.ofSeconds(2))));
        request.exchange();
        request.pass(Duration.ofSeconds(1));
        request.on(false, exchange -> exchange.proceed(_ -> { }));
        request.pass(Duration.ofSeconds(1));

        assertThat(request.answer().status()).isEqualTo(504);
    }

    // --- wrapped exchanges

    @Test
    default void aWrapperStaysAroundARequestThatGoesOn() {
        var wrapper = new AtomicReference<Counting>();
        TestRequest request = get(_ -> { });
        request.on(false, asked -> {
            wrapper.set(new Counting(asked));
            wrapper.get().proceed(exchange -> text(exchange, "wrapped: " + (exchange == wrapper.get())));
        });

        assertThat(request.answer().body()).isEqualTo("wrapped: true");
        assertThat(wrapper.get().answers).hasValue(1);
    }

    // --- attributes

    @Test
    default void attributesArePassedToWrappers() {
        Answer answer = ask(exchange -> {
            assertThat(exchange.hasAttr(FINDING)).isFalse();
            exchange.attr(FINDING).set("found");
            exchange.attr(Exchange.CALLER).set("alice");
            new Counting(exchange).proceed(inner ->
                    text(inner, inner.attr(FINDING).get() + " by " + inner.caller()));
        });

        assertThat(answer.body()).isEqualTo("found by alice");
    }

    // --- edits of answers

    @Test
    default void theLastEditIsMadeFirst() {
        Queue<String> edits = new ConcurrentLinkedQueue<>();
        TestRequest request = get(exchange -> {
            exchange.onResponse(head -> edits.add("outer " + head.status().code()));
            exchange.onResponse(_ -> edits.add("inner on loop: " + exchange.eventLoop().inEventLoop()));
        });
        request.elsewhere(exchange -> text(exchange, "done"));

        assertThat(request.answer().body()).isEqualTo("done");
        assertThat(edits).containsExactly("inner on loop: true", "outer 200");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    default void aStreamIsEditedOnce(boolean onLoop) {
        Queue<Integer> edits = new ConcurrentLinkedQueue<>();
        TestRequest request = get(exchange -> exchange.onResponse(head -> edits.add(head.status().code())));
        request.on(onLoop, exchange -> {
            ResponseStream stream = stream(exchange);
            stream.write(buffer(exchange, "streamed"));
            stream.end();
        });

        assertThat(request.answer().body()).isEqualTo("streamed");
        assertThat(edits).containsExactly(200);
    }

    @Test
    default void anErrorIsEditedToo() {
        Queue<Integer> edits = new ConcurrentLinkedQueue<>();
        Answer answer = ask(exchange -> {
            exchange.onResponse(head -> edits.add(head.status().code()));
            throw new IllegalStateException("secret");
        });

        assertThat(answer.status()).isEqualTo(500);
        assertThat(edits).containsExactly(500);
    }

    @Test
    default void responseToAnOversizedBodyIsEdited() {
        Queue<Integer> edits = new ConcurrentLinkedQueue<>();
        Answer answer = begin("POST", BodyContract.BODY.length(), exchange -> {
            exchange.onResponse(head -> edits.add(head.status().code()));
            exchange.limitBody(1);
        }).send(BodyContract.BODY).end().answer();

        assertThat(answer.status()).isEqualTo(413);
        assertThat(edits).containsExactly(413);
    }

    /** The answer's buffers are released, too: see the leak check. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    default void anAnswerThatCannotBeEditedIsNotSent(boolean streamed) {
        Answer answer = ask(exchange -> {
            exchange.onResponse(_ -> {
                throw new IllegalStateException("in an edit");
            });
            if (streamed) {
                ResponseStream stream = stream(exchange);
                stream.write(buffer(exchange, "half"));
                stream.end();
            } else {
                text(exchange, "done");
            }
        });

        assertThat(answer.isSuccess()).isFalse();
    }
}
