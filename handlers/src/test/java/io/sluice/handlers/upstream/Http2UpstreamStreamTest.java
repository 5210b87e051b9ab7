package io.sluice.handlers.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.sluice.handlers.message.FlatHeaders;
import io.sluice.handlers.upstream.UpstreamException.Stage;
import io.sluice.handlers.upstream.http2.ClientCodec;
import io.sluice.handlers.upstream.http2.ClientConnection;
import io.sluice.handlers.upstream.http2.ConnectionEvents;
import io.sluice.offload.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An endpoint that resets a stream with CANCEL, as servers of gRPC do at the deadline of a call. */
class Http2UpstreamStreamTest {
    private static final byte[] SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};
    private static final byte[] CANCEL = {0, 0, 4, 3, 0, 0, 0, 0, 3, 0, 0, 0, 8};
    private static final byte[] EARLY_HINTS = {0, 0, 5, 1, 4, 0, 0, 0, 3, 8, 3, '1', '0', '3'};
    private static final int RST_STREAM = 3;
    private static final int GOAWAY = 7;

    private final TestEndpoints endpoints = new TestEndpoints().add(1);
    private final Endpoint endpoint = endpoints.get(0);
    private final List<Stage> failures = new ArrayList<>();
    private EmbeddedChannel channel;
    private Http2UpstreamStream stream;

    /** Sends a request with a body. */
    @BeforeEach
    void send() {
        ClientConnection connection = ClientCodec.of(new ConnectionEvents() {
            @Override
            public void accepted(ClientConnection of) {
            }

            @Override
            public void changed(ClientConnection of) {
            }

            @Override
            public void closed(ClientConnection of) {
            }
        }, Duration.ofSeconds(1));
        channel = new EmbeddedChannel(connection);
        receive(SETTINGS);
        stream = new Http2UpstreamStream(endpoint, connection);
        stream.send(new UpstreamRequest(HttpMethod.POST, "/", "a", new FlatHeaders(1),
                UpstreamRequest.UNKNOWN, null, endpoints.route, TestEndpoints.CLIENT,
                Deadline.after(Duration.ofMillis(100), endpoints.clock)), new IgnoredResponse() {
                    @Override
                    public void failed(UpstreamException cause) {
                        failures.add(cause.stage());
                    }
                });
        channel.runPendingTasks();
        sent();
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    private void receive(byte[] bytes) {
        channel.writeInbound(Unpooled.copiedBuffer(bytes));
    }

    /** Returns the types of the frames that have been sent since the last call. */
    private List<Integer> sent() {
        ByteBuf all = Unpooled.buffer();
        for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
            all.writeBytes(part);
            part.release();
        }
        var types = new ArrayList<Integer>();
        while (all.readableBytes() >= 9 && all.getByte(all.readerIndex()) == 0) { // not the preface
            types.add((int) all.getByte(all.readerIndex() + 3));
            all.skipBytes(9 + all.getMedium(all.readerIndex()));
        }
        return types;
    }

    @Test
    void failsLongBeforeTheDeadline() {
        endpoints.pass(Duration.ofMillis(90));

        receive(CANCEL);

        assertThat(failures).containsExactly(Stage.RESPONSE);
        assertThat(endpoint.stats(0).failures()).containsEntry(Stage.RESPONSE, 1L);
    }

    /** The exchange ends by its own deadline; until then the body and its end are dropped. */
    @Test
    void awaitsADeadlineThatIsAboutToPass() {
        endpoints.pass(Duration.ofMillis(96));

        receive(CANCEL);
        stream.write(Unpooled.copiedBuffer(new byte[10]));
        stream.end(new DefaultHttpHeaders().add("x-sum", "1"));
        assertThat(failures).isEmpty();
        assertThat(endpoint.inFlight()).isOne();
        stream.cancel();

        channel.runPendingTasks();
        assertThat(sent()).doesNotContain(RST_STREAM, GOAWAY);
        assertThat(failures).isEmpty();
        assertThat(endpoint.inFlight()).isZero();
        assertThat(endpoint.stats(0).failures()).containsEntry(Stage.RESPONSE, 0L);
    }

    @Test
    void ofMoreThanAHundredInformationalResponsesIsMalformed() {
        for (int i = 0; i < 100; i++) {
            receive(EARLY_HINTS);
        }
        assertThat(failures).isEmpty();

        receive(EARLY_HINTS);
        assertThat(failures).containsExactly(Stage.MALFORMED);
        assertThat(sent()).contains(RST_STREAM);
    }
}
