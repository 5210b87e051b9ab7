package io.sluice.loadtest.experiments.faults;

import io.sluice.loadtest.experiments.driver.Frames;
import io.sluice.loadtest.experiments.wire.HttpAnswer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A request that is idempotent, so that it can be repeated, and knows its right answer. */
sealed interface CheckedRequest {

    /** Whether it needs a WebSocket. */
    boolean socket();

    /**
     * Sends it on a line of its kind and judges the answer.
     *
     * @throws IOException where the line breaks before the end of the answer
     */
    Verdict over(Line line) throws IOException;

    /** A request of HTTP/1.1, and the body of the 200 that it gets. */
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

    /** A text to a WebSocket that sends back what it gets. */
    record Text(String text) implements CheckedRequest {

        @Override
        public boolean socket() {
            return true;
        }

        @Override
        public Verdict over(Line line) throws IOException {
            line.socket().send(Frames.frame(Frames.TEXT, text.getBytes(StandardCharsets.UTF_8)));
            var echo = new String(line.socket().message(), StandardCharsets.UTF_8);
            line.reusable(true);
            return echo.equals(text) ? Verdict.RIGHT : Verdict.wrong("%s: %s".formatted(text, echo));
        }
    }
}
