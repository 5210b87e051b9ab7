package io.sluice.loadtest.experiments.faults;

import io.sluice.loadtest.experiments.driver.Frames;
import io.sluice.loadtest.experiments.wire.HttpAnswer;
import io.sluice.loadtest.experiments.wire.WebSocketWire;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** An idempotent request, which can be repeated, and its expected response. */
sealed interface CheckedRequest {

    /** Returns whether the request is sent over a WebSocket. */
    boolean socket();

    /**
     * Sends the request on a connection of its kind and checks the response.
     *
     * @throws IOException if the connection breaks before the end of the response
     */
    Verdict over(Line line) throws IOException;

    /** An HTTP/1.1 request, and the expected body of its 200. */
    record Http(String name, byte[] bytes, byte[] expected) implements CheckedRequest {

        static Http of(String method, String path, String type, byte[] body, byte[] expected) {
            var fields = type.isEmpty() ? ""
                    : "Content-Type: %s\r\nContent-Length: %d\r\n".formatted(type, body.length);
            var head = "%s %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n".formatted(method, path, fields)
                    .getBytes(StandardCharsets.US_ASCII);
            var bytes = Arrays.copyOf(head, head.length + body.length);
            System.arraycopy(body, 0, bytes, head.length, body.length);
            return new Http("%s %s".formatted(method, path), bytes, expected);
        }

        @Override
        public String toString() {
            return name;
        }

        @Override
        public boolean socket() {
            return false;
        }

        @Override
        public Verdict over(Line line) throws IOException {
            line.wire().send(bytes);
            var answer = HttpAnswer.read(line.wire());
            line.reusable(answer.keepAlive());
            if (answer.status() == 200 && Arrays.equals(answer.body(), expected)) {
                return Verdict.RIGHT;
            }
            var detail = "%s: %d %s".formatted(
                    name, answer.status(), new String(answer.body(), StandardCharsets.UTF_8));
            return answer.status() == 200 ? Verdict.wrong(detail) : Verdict.of(answer.status(), detail);
        }
    }

    /** A text message to a WebSocket that echoes it. */
    record Text(String text) implements CheckedRequest {

        @Override
        public boolean socket() {
            return true;
        }

        @Override
        public Verdict over(Line line) throws IOException {
            WebSocketWire socket = line.socket();
            if (socket == null) {
                throw new IllegalStateException("line: no WebSocket (expected: one)");
            }
            socket.send(Frames.frame(Frames.TEXT, text.getBytes(StandardCharsets.UTF_8)));
            var echo = new String(socket.message(), StandardCharsets.UTF_8);
            line.reusable(true);
            return echo.equals(text) ? Verdict.RIGHT : Verdict.wrong("%s: %s".formatted(text, echo));
        }
    }
}
