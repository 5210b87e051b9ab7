package io.sluice.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.handlers.ClientRequest.Answer;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract of time limits. */
interface TimeContract extends ExchangeTestBed {
    Duration SECOND = Duration.ofSeconds(1);
    Duration HALF = Duration.ofMillis(500);

    private static TimeLimits total(int seconds) {
        return TimeLimits.ofTotal(Duration.ofSeconds(seconds));
    }

    private static TimeLimits firstByte(int seconds) {
        return new TimeLimits(Optional.empty(), Optional.of(Duration.ofSeconds(seconds)), Optional.empty());
    }

    private static TimeLimits idle(int seconds) {
        return new TimeLimits(Optional.empty(), Optional.empty(), Optional.of(Duration.ofSeconds(seconds)));
    }

    @Test
    default void requestWithoutALimitHasNoDeadline() {
        TestRequest request = get(_ -> { });
        request.exchange();
        request.pass(SECOND.multipliedBy(90));
        assertThat(request.exchange().deadline().remainingNanos())
                .isGreaterThan(Duration.ofDays(365).toNanos());
        request.elsewhere(exchange -> text(exchange, "at last"));

        assertThat(request.answer().body()).isEqualTo("at last");
    }

    @Test
    default void totalTimeoutGets504() {
        Queue<String> events = new ConcurrentLinkedQueue<>();
        TestRequest request = get(exchange -> {
            exchange.limitTime(total(2));
            exchange.onResponse(head -> events.add("edited " + head.status().code()));
            exchange.onAbort(() -> events.add("aborted " + text(exchange, "too late")));
        });
        request.exchange();
        request.pass(SECOND);
        assertThat(request.exchange().deadline().remainingNanos()).isEqualTo(SECOND.toNanos());
        assertThat(events).isEmpty();
        request.pass(SECOND);

        assertThat(request.answer().status()).isEqualTo(504);
        assertThat(events).containsExactly("edited 504", "aborted false");
    }

    @Test
    default void totalTimeoutCutsOffAResponse() {
        TestRequest request = get(exchange -> {
            exchange.limitTime(total(1));
            stream(exchange).write(buffer(exchange, "half"));
        });
        request.exchange();
        request.pass(SECOND);

        assertThat(request.answer().isSuccess()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    default void theShortestLimitCounts(boolean later) {
        TestRequest request = get(exchange -> {
            exchange.limitTime(total(5));
            if (!later) {
                exchange.limitTime(total(1));
                exchange.limitTime(total(9));
            }
        });
        request.exchange();
        if (later) {
            request.onLoop(exchange -> exchange.limitTime(total(1)));
            request.onLoop(exchange -> exchange.limitTime(total(9)));
        }
        assertThat(request.exchange().deadline().remainingNanos()).isEqualTo(SECOND.toNanos());
        request.pass(SECOND);

        assertThat(request.answer().status()).isEqualTo(504);
    }

    @Test
    default void aLimitMayHavePassedWhenItIsSet() {
        TestRequest request = get(_ -> { });
        request.exchange();
        request.pass(SECOND.multipliedBy(2));
        request.onLoop(exchange -> exchange.limitTime(total(1)));

        assertThat(request.answer().status()).isEqualTo(504);
    }

    @Test
    default void anAnswerThatDoesNotBeginIs504() {
        Queue<String> events = new ConcurrentLinkedQueue<>();
        TestRequest request = get(exchange -> {
            exchange.limitTime(firstByte(2));
            exchange.onAbort(() -> events.add("aborted"));
        });
        request.exchange();
        request.pass(SECOND);
        assertThat(events).isEmpty();
        request.pass(SECOND.multipliedBy(2));

        assertThat(request.answer().status()).isEqualTo(504);
        assertThat(events).containsExactly("aborted");
    }

    @Test
    default void firstByteTimeoutEndsWithTheHead() {
        var stream = new AtomicReference<ResponseStream>();
        TestRequest request = get(exchange -> {
            exchange.limitTime(firstByte(1));
            stream.set(stream(exchange));
            stream.get().write(buffer(exchange, "half"));
        });
        request.exchange();
        request.pass(SECOND.multipliedBy(3));
        request.onLoop(_ -> stream.get().end());

        assertThat(request.answer()).extracting(Answer::status, Answer::body).containsExactly(200, "half");
    }

    @Test
    default void idleTimeoutCutsOffAResponse() {
        Queue<String> events = new ConcurrentLinkedQueue<>();
        TestRequest request = get(exchange -> {
            exchange.limitTime(idle(2));
            exchange.onAbort(() -> events.add("aborted"));
            stream(exchange).write(buffer(exchange, "half"));
        });
        request.exchange();
        request.pass(SECOND);
        assertThat(events).isEmpty();
        request.pass(SECOND.multipliedBy(2));

        assertThat(request.answer().isSuccess()).isFalse();
        assertThat(events).containsExactly("aborted");
    }

    /** The time before the answer begins does not matter. */
    @Test
    default void idleTimeoutCutsOffAResponseBegunOnAnotherThread() {
        TestRequest request = get(exchange -> exchange.limitTime(idle(1)));
        request.exchange();
        request.pass(SECOND.multipliedBy(5));
        request.on(false, exchange -> stream(exchange).write(buffer(exchange, "half")));
        request.pass(SECOND.multipliedBy(2));

        assertThat(request.answer().isSuccess()).isFalse();
    }

    @Test
    default void idleTimeoutBeginsWithTheResponse() {
        TestRequest request = get(exchange -> {
            exchange.limitTime(firstByte(3));
            exchange.limitTime(idle(1));
        });
        request.exchange();
        request.pass(SECOND.multipliedBy(2));
        ResponseStream stream = request.elsewhere(this::stream);
        request.pass(HALF);
        stream.write(buffer(request.exchange(), "whole"));
        stream.end();

        assertThat(request.answer()).extracting(Answer::status, Answer::body).containsExactly(200, "whole");
    }

    @Test
    default void progressResetsTheIdleTimeout() {
        TestRequest request = get(exchange -> exchange.limitTime(idle(1)));
        request.exchange();
        ResponseStream stream = request.elsewhere(this::stream);
        for (int n = 0; n < 6; n++) {
            request.pass(HALF);
            stream.write(buffer(request.exchange(), Integer.toString(n)));
        }
        stream.end();

        assertThat(request.answer()).extracting(Answer::status, Answer::body).containsExactly(200, "012345");
    }

    /** The body of an answer to HEAD is dropped, yet its pieces count as progress. */
    @Test
    default void droppedPiecesOfHeadResetTheIdleTimeout() {
        TestRequest request = begin("HEAD", 0, exchange -> exchange.limitTime(idle(1))).end();
        request.exchange();
        ResponseStream stream = request.elsewhere(this::stream);
        for (int n = 0; n < 6; n++) {
            request.pass(HALF);
            stream.write(buffer(request.exchange(), Integer.toString(n)));
        }
        stream.end();

        assertThat(request.answer()).extracting(Answer::status, Answer::body).containsExactly(200, "");
    }
}
