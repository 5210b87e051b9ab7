package io.sluice.gateway.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.concurrent.Ticker;
import io.sluice.config.HandlerConfig;
import io.sluice.config.TransportKind;
import io.sluice.config.topic.OverBudget;
import io.sluice.config.type.ByteSize;
import io.sluice.config.type.Sha256;
import io.sluice.gateway.LoopsWithClock;
import io.sluice.gateway.exchange.ServedRequest;
import io.sluice.gateway.limits.RequestMemory;
import io.sluice.gateway.limits.RequestMemoryPart;
import io.sluice.gateway.net.Transport;
import io.sluice.gateway.peer.Credential;
import io.sluice.gateway.routing.Route;
import io.sluice.gateway.routing.RoutingTable;
import io.sluice.handlers.Client;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A {@code ws-rpc} session over a fake socket, with the requests that its listener was informed of. */
final class RpcTestBed implements AutoCloseable {
    /** The hash of the token of its socket, which is that of "somebody". */
    static final Sha256 TOKEN = new Sha256("0".repeat(64));

    final Queue<Ended> ended = new ConcurrentLinkedQueue<>();
    final FakeSocket socket;
    final RpcHandler handler;
    private final EventLoopGroup loops;
    private boolean gone;

    /** A finished request, as the listener was informed of it. */
    record Ended(String requestId, String method, String uri, int status, long bytes) {
        private static Ended of(ServedRequest request) {
            return new Ended(request.requestId(), request.request().method().name(), request.uri(),
                    request.status(), request.bytesSent());
        }
    }

    RpcTestBed(Route... routes) {
        this(100, 1 << 20, routes);
    }

    RpcTestBed(int maxInFlight, long maxAnswer, Route... routes) {
        this(Transport.of(TransportKind.NIO).group("rpc", 1), maxInFlight, maxAnswer, routes);
    }

    private RpcTestBed(EventLoopGroup loops, int maxInFlight, long maxAnswer, Route... routes) {
        this.loops = loops;
        var config = new HandlerConfig.WsRpc(null, maxInFlight, new ByteSize(maxAnswer),
                100, new ByteSize(1 << 20), OverBudget.DROP_OLDEST);
        var table = new RoutingTable(List.of(routes));
        handler = new RpcHandler(() -> config, 8192, () -> table, request -> ended.add(Ended.of(request)));
        HttpHeaders inherited = new DefaultHttpHeaders().set(HttpHeaderNames.HOST, "sluice.test:80");
        socket = new FakeSocket(loops.next(), new RpcSession(() -> config, 8192, () -> table,
                request -> ended.add(Ended.of(request)), inherited,
                new Client(new InetSocketAddress("192.0.2.1", 4711)), Credential.ofToken("somebody", TOKEN),
                new RequestMemoryPart(new RequestMemory(new EmbeddedChannel(), () -> null))));
    }

    /** Creates a session with a clock that only {@link #pass} advances. */
    static RpcTestBed withClock(Route... routes) {
        return new RpcTestBed(new LoopsWithClock(1, Ticker.newMockTicker()), 100, 4 << 20, routes);
    }

    /** Returns when the event loop has nothing more to do. */
    void settle() {
        LoopsWithClock.comeRound(loops, 2);
    }

    /** Advances the clock of a session {@link #withClock}. */
    void pass(Duration time) {
        settle();
        ((LoopsWithClock) loops).pass(time);
    }

    /** Sends a message, and returns the only answer. Apostrophes stand for quotes. */
    String ask(String message) {
        send(message);
        return answer();
    }

    /** Sends messages. Apostrophes stand for quotes. */
    void send(String... messages) {
        socket.receive(List.of(messages).stream().map(m -> m.replace('\'', '"')).toArray(String[]::new));
    }

    String answer() {
        try {
            String answer = socket.sent.poll(30, TimeUnit.SECONDS);
            assertThat(answer).as("an answer").isNotNull();
            socket.onLoop(() -> { }); // waits until the listener has been informed
            return answer.replace('"', '\'');
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns an answer's member {@code body}, or null. */
    static JsonNode body(String answer) {
        return JsonMapper.shared().readTree(answer.replace('\'', '"')).get("body");
    }

    void goAway() {
        if (!gone) {
            gone = true;
            socket.goAway();
            await().until(() -> socket.requests == 0); // they end in turns
            socket.onLoop(() -> { });
        }
    }

    /** Checks that all requests have ended, and that the listener was informed of each only once. */
    @Override
    public void close() {
        if (!gone) {
            await().until(() -> socket.requests == 0);
            goAway();
        }
        assertThat(socket.requests).isZero();
        assertThat(ended).extracting(Ended::requestId).doesNotHaveDuplicates();
        assertThat(socket.sent).isEmpty();
        loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
