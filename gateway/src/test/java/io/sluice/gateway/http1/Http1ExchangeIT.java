package io.sluice.gateway.http1;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.ServedOverHttp;
import io.sluice.handlers.ClientRequest;
import io.sluice.handlers.HttpExchangeContract;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.Served;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

class Http1ExchangeIT extends HttpExchangeContract {

    @Override
    protected Served start(RouteHandler handler) {
        return new Connection(handler);
    }

    /** A connection with one request. */
    private static final class Connection extends ServedOverHttp implements ClientRequest {
        private RawClient client;
        private boolean head;
        private boolean chunked;
        /** The head of the answer; null until it has been read. */
        private RawClient.Answer begun;

        Connection(RouteHandler handler) {
            super(handler);
        }

        @Override
        public ClientRequest begin(String method, int bodyLength) {
            head = method.equals("HEAD");
            chunked = bodyLength < 0;
            String framing = chunked ? "Transfer-Encoding: chunked\r\n"
                    : bodyLength > 0 ? "Content-Length: " + bodyLength + "\r\n" : "";
            attempt(() -> {
                client = server().connect();
                client.send(method + " /exchange?q=1 HTTP/1.1\r\nHost: a\r\n" + framing + "\r\n");
            });
            return this;
        }

        @Override
        public void send(String piece) {
            attempt(() -> client.send(chunked ? Integer.toHexString(piece.length()) + "\r\n" + piece + "\r\n"
                    : piece));
        }

        @Override
        public void end() {
            attempt(() -> client.send(chunked ? "0\r\n\r\n" : ""));
        }

        @Override
        public int awaitHead() {
            attempt(this::readHead);
            return begun.status();
        }

        private void readHead() throws IOException {
            while (begun == null || begun.status() < 200) {
                begun = client.readHead();
            }
        }

        @Override
        public Answer answer() {
            try {
                readHead();
                RawClient.Answer answer = head ? begun : client.readBody(begun);
                Map<String, String> headers = answer.headers().stream().map(line -> line.split(": ", 2))
                        .collect(Collectors.toMap(field -> field[0].toLowerCase(Locale.ROOT),
                                field -> field[1]));
                String length = headers.get("content-length");
                boolean whole = head || length == null || answer.content().length == Integer.parseInt(length);
                return new Answer(answer.status(), headers, answer.body(), whole);
            } catch (SocketTimeoutException e) {
                throw new AssertionError("the answer neither ends nor is cut off", e);
            } catch (IOException e) {
                return Answer.CUT_OFF;
            }
        }

        @Override
        public void leave() {
            attempt(client::close);
        }

        @Override
        public void close() {
            leave();
            super.close();
        }
    }
}
