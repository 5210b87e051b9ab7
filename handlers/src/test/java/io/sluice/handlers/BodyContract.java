package io.sluice.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.handlers.ClientRequest.Answer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Contract of a request's body: it is delivered on demand, once, and within its limit. */
interface BodyContract extends ExchangeTestBed {
    /** A JSON text, since WebSocket exchanges accept only JSON as a body. */
    String BODY = "[1,\"two\"]";

    /** Answers with the request's body. */
    default void echo(Exchange exchange) {
        exchange.readBody(body -> text(exchange, "body: " + body.toString(StandardCharsets.US_ASCII)));
    }

    /** Begins a POST with {@link #BODY}, and sends all of it. */
    default TestRequest post(RouteHandler handler) {
        return begin("POST", BODY.length(), handler).send(BODY).end();
    }

    @Test
    default void aBodyIsCollected() {
        var collected = new AtomicReference<ByteBuf>();
        TestRequest request = begin("POST", BODY.length(), exchange -> {
            assertThat(exchange.hasBody()).isTrue();
            exchange.readBody(body -> {
                assertThat(exchange.eventLoop().inEventLoop()).isTrue();
                collected.set(body);
                text(exchange, "body: " + body.toString(StandardCharsets.US_ASCII));
            });
        }).send(BODY.substring(0, 4), BODY.substring(4)).end();

        assertThat(request.answer().body()).isEqualTo("body: " + BODY);
        request.until(() -> collected.get().refCnt() == 0);
    }

    @Test
    default void missingBodyIsEmpty() {
        assertThat(ask(this::echo).body()).isEqualTo("body: ");
    }

    @Test
    default void bodyIsHeldUntilItIsRead() {
        TestRequest request = post(_ -> { });
        request.on(false, exchange -> exchange.proceed(this::echo));

        assertThat(request.answer().body()).isEqualTo("body: " + BODY);
    }

    @Test
    default void endOfAnEmptyBodyIsHeldUntilItIsRead() {
        TestRequest request = get(_ -> { });
        request.on(false, exchange -> exchange.proceed(this::echo));

        assertThat(request.answer().body()).isEqualTo("body: ");
    }

    @Test
    default void bodyIsStreamedAsItArrives() {
        List<String> events = new ArrayList<>();
        TestRequest request = post(exchange -> exchange.streamBody(new Exchange.BodyReader() {
            @Override
            public boolean content(ByteBuf content) {
                events.add(content.toString(StandardCharsets.US_ASCII));
                content.release();
                return true;
            }

            @Override
            public void end(HttpHeaders trailers) {
                assertThat(trailers.isEmpty()).isTrue();
                text(exchange, String.join("", events));
            }
        }));

        assertThat(request.answer().body()).isEqualTo(BODY);
    }

    @Test
    default void bodyIsReadOnlyOnce() {
        Answer answer = post(exchange -> {
            echo(exchange);
            assertThatThrownBy(() -> echo(exchange)).isInstanceOf(IllegalStateException.class);
        }).answer();

        assertThat(answer.body()).isEqualTo("body: " + BODY);
    }

    @Test
    default void exceptionOfABodyReaderBecomesTheResponse() {
        Answer answer = post(exchange -> exchange.readBody(_ -> {
            throw new HttpException(HttpResponseStatus.UNPROCESSABLE_ENTITY, "no use");
        })).answer();

        assertThat(answer.status()).isEqualTo(422);
    }

    @Test
    default void bodyOfExactlyTheLimitIsAccepted() {
        Answer answer = post(exchange -> {
            exchange.limitBody(BODY.length());
            exchange.limitBody(Long.MAX_VALUE);
            echo(exchange);
        }).answer();

        assertThat(answer.body()).isEqualTo("body: " + BODY);
    }

    @Test
    default void aHeadThatTellsALongerOneIsRefused() {
        Answer answer = post(exchange -> {
            exchange.limitBody(BODY.length() - 1);
            throw new AssertionError("not refused");
        }).answer();

        assertThat(answer.status()).isEqualTo(413);
    }
}
