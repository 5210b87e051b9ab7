package io.sluice.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.HttpMethod;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

class FakeExchangeTest extends HttpExchangeContract {

    @Override
    protected Served start(RouteHandler handler) {
        return new Fake(handler);
    }

    private static final class Fake implements Served, ClientRequest {
        private final RouteHandler handler;
        private FakeExchange exchange;

        Fake(RouteHandler handler) {
            this.handler = handler;
        }

        @Override
        public ClientRequest begin(String method, int bodyLength) {
            exchange = new FakeExchange(HttpMethod.valueOf(method), "/exchange?q=1", bodyLength);
            exchange.answer().takeAtOnce(64 * 1024);
            exchange.handledBy(handler);
            return this;
        }

        @Override
        public void settle() {
            exchange.settle();
        }

        @Override
        public void pass(Duration time) {
            exchange.pass(time);
        }

        @Override
        public void send(String piece) {
            exchange.send(piece.getBytes(StandardCharsets.US_ASCII));
        }

        @Override
        public void end() {
            exchange.endBody();
        }

        @Override
        public int awaitHead() {
            settle();
            assertThat(exchange.answer().isHeadSent()).isTrue();
            return exchange.answer().status();
        }

        @Override
        public Answer answer() {
            FakeResponse answer = exchange.answer();
            settle();
            for (int pieces = 0; !exchange.isOver(); pieces++) {
                assertThat(pieces).as("pieces without an end").isLessThan(10_000);
                answer.readOn();
                settle();
            }
            Map<String, String> headers = new HashMap<>();
            if (answer.status() != 0) {
                answer.headers().forEach(header -> headers.put(header.getKey(), header.getValue()));
            }
            return new Answer(answer.status(), headers, answer.text(), answer.isWhole());
        }

        @Override
        public void leave() {
            exchange.leave();
        }

        @Override
        public void close() {
            exchange.leave();
        }
    }
}
