package io.sluice.handlers.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.PendingWriteQueue;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.util.concurrent.Ticker;
import io.sluice.config.UpstreamConfig;
import io.sluice.handlers.message.FlatHeaders;
import io.sluice.offload.Deadline;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Http1ConnectionTest {

    /** A channel whose writes do not complete if stuck, as for an endpoint that does not read. */
    private static final class Stuck extends EmbeddedChannel {
        private final boolean stuck;

        Stuck(boolean stuck) {
            this.stuck = stuck;
        }

        @Override
        protected void doWrite(ChannelOutboundBuffer all) throws Exception {
            if (!stuck) {
                super.doWrite(all);
            }
        }
    }

    /** A reader that records the end of a response. */
    private static class Reader extends IgnoredResponse {
        private boolean ended;

        @Override
        public void end(HttpHeaders trailers) {
            ended = true;
        }

        @Override
        public void failed(UpstreamException cause) {
            throw new AssertionError(cause);
        }
    }

    /**
     * On a reused connection, the next request would wait behind the unsent rest of this one, or be taken for
     * the missing rest of a body that ended before its announced length.
     */
    @ParameterizedTest
    @CsvSource({"true, body, 0", "false, body, 1", "false, bod, 0"})
    void isKeptOnlyIfTheWholeRequestIsSent(boolean stuck, String body, int idle) {
        var channel = new Stuck(stuck);
        Http1Connections home = home(channel);
        var reader = new Reader();
        post(home.add(channel), body, reader);
        channel.writeInbound(Unpooled.copiedBuffer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
                StandardCharsets.US_ASCII));
        assertThat(reader.ended).isTrue();
        assertThat(home.idle()).isEqualTo(idle);
        assertThat(channel.isOpen()).isEqualTo(idle == 1);
        channel.releaseOutbound();
        channel.finishAndReleaseAll();
    }

    /** A handler that holds what is written until it is flushed, as that of TLS does. */
    private static final class Holding extends ChannelOutboundHandlerAdapter {
        private PendingWriteQueue held;

        @Override
        public void handlerAdded(ChannelHandlerContext ctx) {
            held = new PendingWriteQueue(ctx);
        }

        @Override
        public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
            held.add(message, promise);
        }

        @Override
        public void flush(ChannelHandlerContext ctx) {
            held.removeAndWriteAll();
            ctx.flush();
        }
    }

    /** The endpoint would wait for the rest of a request that it has answered already. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void isKeptOnlyWithTheEndOfTheRequestFlushed(boolean tls) {
        var channel = new Stuck(false);
        Http1Connections home = home(channel);
        if (tls) {
            channel.pipeline().addLast(new Holding());
        }
        Http1Connection connection = home.add(channel);
        write(connection, "body", new Reader());
        channel.writeInbound(Unpooled.copiedBuffer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
                StandardCharsets.US_ASCII));
        assertThat(home.idle()).isEqualTo(1);
        assertThat(channel.outboundMessages()).hasSize(2);
        channel.finishAndReleaseAll();
    }

    /** The endpoint would take what exceeds the announced length for another request. */
    @Test
    void isClosedBeforeABodyExceedsItsLength() {
        var channel = new Stuck(false);
        post(home(channel).add(channel), "bodyGET / HTTP/1.1", new Reader() {
            @Override
            public void failed(UpstreamException cause) {
                assertThat(cause.stage()).isEqualTo(UpstreamException.Stage.REQUEST);
            }
        });
        assertThat(channel.isOpen()).isFalse();
        assertThat(channel.<Object>readOutbound()).isNull();
        channel.finishAndReleaseAll();
    }

    @Test
    void isNotReadFurtherIfTheFirstBytesBehindA101FillTheClient() {
        var channel = new Stuck(false);
        Http1Connection connection = home(channel).add(channel);
        connection.send(new UpstreamRequest(HttpMethod.GET, "/", "a", new FlatHeaders(1), 0, "websocket",
                new RouteResponses(), TestEndpoints.CLIENT,
                Deadline.never(Ticker.systemTicker())), new Reader() {
                    @Override
                    public void switched(HttpResponse head, SwitchedConnection to) {
                        channel.eventLoop().execute(() -> to.receive(new PausedByTheFirstBytes(to)));
                    }
                });
        channel.writeInbound(Unpooled.copiedBuffer("HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\n"
                + "Upgrade: websocket\r\n\r\nearly", StandardCharsets.US_ASCII));
        channel.runPendingTasks();

        assertThat(channel.config().isAutoRead()).isFalse();
        channel.finishAndReleaseAll();
    }

    /** The receiver of a switched connection whose client does not read. */
    private record PausedByTheFirstBytes(SwitchedConnection from) implements SwitchedConnection.Receiver {
        @Override
        public void read(ByteBuf bytes) {
            assertThat(bytes.toString(StandardCharsets.US_ASCII)).isEqualTo("early");
            bytes.release();
            from.pause();
        }

        @Override
        public void readComplete() {
        }

        @Override
        public void writable() {
        }

        @Override
        public void inputClosed() {
        }

        @Override
        public void closed(boolean broken) {
        }
    }

    private static Http1Connections home(EmbeddedChannel channel) {
        return new Http1Connections(new TestEndpoints().add(1).get(0), channel.eventLoop(),
                (_, _) -> () -> { }, TestEndpoints.config(UpstreamConfig.Balance.LEAST_LOAD));
    }

    /** Sends a request that announces a body of 4 bytes. */
    private static void post(Http1Connection connection, String body, ResponseReader reader) {
        write(connection, body, reader);
        connection.flush();
    }

    private static void write(Http1Connection connection, String body, ResponseReader reader) {
        connection.send(new UpstreamRequest(HttpMethod.POST, "/", "a", new FlatHeaders(1), 4, null,
                new RouteResponses(), TestEndpoints.CLIENT, Deadline.never(Ticker.systemTicker())), reader);
        connection.write(Unpooled.copiedBuffer(body, StandardCharsets.US_ASCII));
        connection.end(EmptyHttpHeaders.INSTANCE);
    }
}
