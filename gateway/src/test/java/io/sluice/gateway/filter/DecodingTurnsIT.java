package io.sluice.gateway.filter;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import io.sluice.handlers.Exchange;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/**
 * Fairness of the event loop: a small body that decodes to a large one does not delay its other connections.
 */
class DecodingTurnsIT {
    /** A body of this size takes an event loop several times as long as one task may. */
    private static final int SIZE = 16 << 20;

    /** Counts the polls of an event loop for other connections. */
    private static final class Polls {
        private int count;
        private boolean over;

        void begin(Exchange exchange) {
            count++;
            if (!over) {
                exchange.eventLoop().schedule(() -> begin(exchange), 0, TimeUnit.NANOSECONDS);
            }
        }
    }

    @Test
    void othersHaveTheirTurnWhileABodyIsDecoded() throws Exception {
        var coded = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(coded)) {
            out.write(new byte[SIZE]);
        }
        String request = "POST / HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nContent-Length: "
                + coded.size() + "\r\n\r\n" + coded.toString(ISO_8859_1);
        try (var server = HandlerServer.start(route("/", new RequestDecoding(SIZE).around(exchange -> {
            exchange.limitBody(SIZE);
            var polls = new Polls();
            polls.begin(exchange);
            exchange.readBody(body -> {
                polls.over = true;
                answer(exchange, body.readableBytes() + " " + polls.count);
            });
        }))); RawClient client = server.connect()) {
            String[] answer = client.send(request.getBytes(ISO_8859_1)).read().body().split(" ");

            assertThat(answer[0]).isEqualTo("" + SIZE);
            assertThat(Integer.parseInt(answer[1])).isGreaterThan(5);
        }
    }

    @Test
    void bodiesWaitForAPlaceIfTheyTakeMoreThanATurn() throws Exception {
        int size = 2 << 20;
        byte[] coded = Zstd.compress(new byte[size]);
        var clients = new ArrayList<RawClient>();
        try (var server = HandlerServer.start(route("/", new RequestDecoding(SIZE).around(exchange -> {
            exchange.limitBody(SIZE);
            exchange.readBody(body -> answer(exchange, "" + body.readableBytes()));
        })))) {
            for (int i = 0; i < 5 * DecoderLimit.MAX_PLACES; i++) {
                clients.add(server.connect().send("POST / HTTP/1.1\r\nHost: a\r\nContent-Encoding: zstd\r\n"
                        + "Content-Length: " + coded.length + "\r\n\r\n"));
            }
            for (RawClient client : clients) {
                client.send(coded);
            }
            clients.removeFirst().close();

            for (RawClient client : clients) {
                assertThat(client.read().body()).isEqualTo("" + size);
                client.close();
            }
        }
    }
}
