package io.sluice.gateway.rpc;

import static org.awaitility.Awaitility.await;

import io.sluice.gateway.ServedOverHttp;
import io.sluice.handlers.ClientRequest;
import io.sluice.handlers.ExchangeContract;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.Served;
import java.time.Duration;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The contract of exchanges over {@code ws-rpc}. Messages have no headers, and a failed stream becomes an
 * error.
 */
class RpcExchangeTest extends ExchangeContract {

    @Override
    protected Served start(RouteHandler handler) {
        return new Socket(handler);
    }

    /** A socket with one request. */
    private static final class Socket implements Served, ClientRequest {
        private final RpcTestBed bed;
        private final StringBuilder body = new StringBuilder();
        private String method;

        Socket(RouteHandler handler) {
            bed = RpcTestBed.withClock(ServedOverHttp.route(handler));
        }

        @Override
        public ClientRequest begin(String asked, int bodyLength) {
            method = asked;
            return this;
        }

        @Override
        public void send(String piece) {
            body.append(piece);
        }

        @Override
        public void end() {
            bed.send("{'method':'%s','path':'/exchange','query':{'q':1}%s}"
                    .formatted(method, body.isEmpty() ? "" : ",'body':" + body));
        }

        @Override
        public Answer answer() {
            await().until(() -> !bed.socket.sent.isEmpty() || bed.socket.closedWith != null);
            if (bed.socket.closedWith != null) {
                return Answer.CUT_OFF;
            }
            JsonNode answer = JsonMapper.shared().readTree(bed.socket.sent.remove());
            JsonNode text = answer.path("body");
            return new Answer(answer.get("status").asInt(), Map.of(),
                    text.isString() ? text.asString() : text.isMissingNode() ? "" : text.toString(), true);
        }

        @Override
        public void leave() {
            bed.goAway();
        }

        @Override
        public void settle() {
            bed.settle();
        }

        @Override
        public void pass(Duration time) {
            bed.pass(time);
        }

        @Override
        public void close() {
            leave();
            bed.close();
        }
    }
}
