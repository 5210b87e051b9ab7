package io.sluice.gateway.http2;

import io.sluice.gateway.ServedOverHttp;
import io.sluice.handlers.ClientRequest;
import io.sluice.handlers.HttpExchangeContract;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.Served;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

class Http2ExchangeIT extends HttpExchangeContract {

    @Override
    protected Served start(RouteHandler handler) {
        return new Stream(handler);
    }

    /** A connection with one stream. */
    private static final class Stream extends ServedOverHttp implements ClientRequest {
        private static final int ID = 1;

        private FrameClient client;
        private boolean bodyless;
        /** The headers of the final answer, which follow those of informational ones. */
        private Map<String, String> headers = Map.of();

        Stream(RouteHandler handler) {
            super(handler);
        }

        @Override
        public ClientRequest begin(String method, int bodyLength) {
            bodyless = bodyLength == 0;
            String[] length = bodyLength > 0 ? new String[] {"content-length", Integer.toString(bodyLength)}
                    : new String[0];
            attempt(() -> {
                client = FrameClient.connect(server());
                client.send(FrameClient.headers(ID, bodyless,
                        FrameClient.request(method, "/exchange?q=1", length)));
            });
            return this;
        }

        @Override
        public void send(String piece) {
            attempt(() -> client.send(FrameClient.data(ID, false, piece)));
        }

        @Override
        public void end() {
            if (!bodyless) {
                attempt(() -> client.send(FrameClient.data(ID, true, "")));
            }
        }

        @Override
        public int awaitHead() {
            attempt(() -> {
                while (headers.isEmpty()) {
                    head(client.read());
                }
            });
            return Integer.parseInt(headers.get(":status"));
        }

        private void head(Frame frame) throws IOException {
            if (frame.is(Frame.HEADERS) && client.headers(frame).containsKey(":status")) {
                headers = client.headers(frame);
            }
        }

        @Override
        public Answer answer() {
            var body = new ByteArrayOutputStream();
            try {
                while (true) {
                    Frame frame = client.read();
                    if (frame.stream() != ID) {
                        continue;
                    }
                    if (frame.is(Frame.RST_STREAM)) {
                        return Answer.CUT_OFF;
                    }
                    head(frame);
                    if (frame.is(Frame.DATA) && frame.payload().length > 0) {
                        body.writeBytes(frame.payload());
                        letMoreCome(frame.payload().length);
                    }
                    if (frame.has(Frame.END_STREAM)) {
                        return new Answer(Integer.parseInt(headers.get(":status")), headers,
                                body.toString(StandardCharsets.UTF_8), true);
                    }
                }
            } catch (SocketTimeoutException e) {
                throw new AssertionError("the answer neither ends nor is cut off", e);
            } catch (IOException e) {
                return Answer.CUT_OFF;
            }
        }

        private void letMoreCome(int bytes) throws IOException {
            client.send(Frame.windowUpdate(0, bytes), Frame.windowUpdate(ID, bytes));
        }

        @Override
        public void leave() {
            attempt(() -> client.send(Frame.rst(ID, Frame.CANCEL)));
        }

        @Override
        public void close() {
            attempt(client::close);
            super.close();
        }
    }
}
