package io.sluice.gateway.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import io.sluice.handlers.upstream.EndpointStats;
import io.sluice.handlers.upstream.UpstreamException.Stage;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** HTTP/2 connections to endpoints: the conditions under which they are opened and closed. */
@Timeout(120)
class Http2UpstreamConnectionsIT {
    private static final int HEADER_TABLE_SIZE = 1;
    private static final int MAX_CONCURRENT_STREAMS = 3;
    private static final int MAX_HEADER_LIST_SIZE = 6;
    private static final int MAX_RESETS = 50;
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    private FrameOrigin origin;
    private RunningGateway gateway;

    @BeforeEach
    void start() throws IOException {
        origin = new FrameOrigin();
        gateway = gateway("30s", "20s");
    }

    private RunningGateway gateway(String keepAlive, String connectTimeout) {
        return RunningGateway.start("""
                sluice {
                  server.worker-threads = 1
                  upstreams.origin { endpoints = ["http://127.0.0.1:%d"], protocol = h2c, deadline = 60s
                    keep-alive = %s, connect-timeout = %s }
                  routes.proxy { path = "/**", handler = proxy, upstream = origin }
                }
                """.formatted(origin.port(), keepAlive, connectTimeout));
    }

    /** Starts the gateway again, for a test in which the time to connect has to pass. */
    private void restart(String connectTimeout) {
        gateway.close();
        gateway = gateway("30s", connectTimeout);
    }

    @AfterEach
    void stop() throws IOException {
        gateway.close();
        origin.close();
    }

    private static EndpointStats endpoint(RunningGateway gateway) {
        return gateway.upstream("origin").endpoints().getFirst();
    }

    private static void assertServes(FrameClient connection, int stream, RawClient client)
            throws IOException {
        connection.await(Frame.HEADERS, stream);
        connection.send(FrameOrigin.answer(stream, "served"));
        assertThat(client.read().body()).isEqualTo("served");
    }

    @Test
    void mayForbidStreamsForAWhile() throws IOException {
        restart("1500ms");
        try (RawClient one = gateway.connect(); RawClient two = gateway.connect()) {
            one.send(GET);
            FrameClient first = origin.accept();
            first.await(Frame.HEADERS, 3);
            first.send(Frame.settings(MAX_CONCURRENT_STREAMS, 0));
            first.await(Frame.SETTINGS, 0);
            first.send(FrameOrigin.answer(3, "one"));
            assertThat(one.read().body()).isEqualTo("one");
            two.send(GET);
            FrameClient second = origin.accept(MAX_CONCURRENT_STREAMS, 0);
            assertThat(second.goAway()).isEqualTo(Frame.NO_ERROR);
            FrameClient third = origin.accept(MAX_CONCURRENT_STREAMS, 0); // for the retry
            assertThat(third.goAway()).isEqualTo(Frame.NO_ERROR);
            assertThat(two.read().status()).isEqualTo(502);
            first.send(Frame.settings(MAX_CONCURRENT_STREAMS, 1));
            first.await(Frame.SETTINGS, 0);
            one.send(GET);
            assertServes(first, 5, one);
        }
    }

    /** The gateway announces no table that is larger than the default, as the test's decoder would tell. */
    @Test
    void mayOfferAHugeHeaderTable() throws IOException {
        try (RawClient client = gateway.connect()) {
            client.send(GET);
            assertServes(origin.accept(HEADER_TABLE_SIZE, -1), 3, client);
        }
    }

    @Test
    void areNotOpenedForAStreamThatIsRefusedByTheLast() throws IOException {
        try (RawClient client = gateway.connect()) {
            client.send(GET);
            FrameClient connection = origin.accept(MAX_CONCURRENT_STREAMS, 1);
            connection.await(Frame.HEADERS, 3);
            connection.send(Frame.rst(3, Frame.REFUSED_STREAM));
            assertServes(connection, 5, client);
            EndpointStats stats = endpoint(gateway);
            assertThat(stats.open() + stats.connecting()).isEqualTo(1);
        }
    }

    @Test
    void thatAreNotAcceptedKeepTheEventLoopIdle() throws Exception {
        try (RunningGateway quick = gateway("100ms", "2s"); RawClient one = quick.connect();
                RawClient two = quick.connect()) {
            one.send(GET);
            FrameClient first = origin.accept(MAX_CONCURRENT_STREAMS, 1);
            first.await(Frame.HEADERS, 3);
            long before = tasks(quick);
            two.send(GET); // waits for a second connection, until the connect timeout
            await().atMost(LONG).until(() -> endpoint(quick).failures().get(Stage.CONNECT) == 1);
            assertThat(tasks(quick) - before).isLessThan(500);
            first.send(FrameOrigin.answer(3, "one"));
            assertThat(one.read().body()).isEqualTo("one");
            assertServes(first, 5, two);
        }
    }

    private static long tasks(RunningGateway gateway) throws Exception {
        return gateway.getAdmin("/metrics").body().lines()
                .filter(line -> line.startsWith("sluice_event_loop_task_seconds_count"))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ')))).sum();
    }

    /** A server that stops finishes its streams, but takes no connections any more. */
    @Test
    void thatOnlyFinishTheirStreamsLetOthersFailAtOnce() throws IOException {
        try (RawClient one = gateway.connect(); RawClient two = gateway.connect()) {
            one.send(GET);
            FrameClient first = origin.accept();
            first.await(Frame.HEADERS, 3);
            origin.close();
            first.send(new Frame(Frame.GOAWAY, 0, 0, new byte[] {0, 0, 0, 3, 0, 0, 0, 0}), Frame.ping());
            first.await(Frame.PING, 0);
            assertThat(two.send(GET).read().status()).as("not 504").isEqualTo(502);
            first.send(FrameOrigin.answer(3, "one"));
            assertThat(one.read().body()).isEqualTo("one");
        }
    }

    /** Streams that end soon would serve them, but streams such as those of gRPC may last for hours. */
    @Test
    void thatCannotBeOpenedLetOthersWaitForAStreamNoLongerThanToConnect() throws IOException {
        restart("2s");
        try (RawClient one = gateway.connect(); RawClient two = gateway.connect()) {
            one.send(GET);
            FrameClient first = origin.accept(MAX_CONCURRENT_STREAMS, 1);
            first.await(Frame.HEADERS, 3);
            origin.close();
            assertThat(two.send(GET).read().status()).as("not 504").isEqualTo(502);
            first.send(FrameOrigin.answer(3, "one"));
            assertThat(one.read().body()).isEqualTo("one");
        }
    }

    /** A machine that has lost power does not close its connections; one that is busy only comes back. */
    @Test
    void whoseEndpointIsSilentGetNoFurtherRequests() throws Exception {
        restart("2s");
        RawClient gone = gateway.connect().send(GET);
        FrameClient first = origin.accept();
        assertServes(first, 3, gone); // behind the acknowledgement of SETTINGS, which is a sign of life
        gone.send(GET);
        first.await(Frame.HEADERS, 5);
        try (RawClient stays = gateway.connect(); RawClient next = gateway.connect()) {
            stays.send(GET);
            first.await(Frame.HEADERS, 7);
            gone.close();
            assertThat(first.resetOf(5)).isEqualTo(Frame.CANCEL);
            assertThat(first.await(Frame.PING, 0).has(Frame.ACK)).isFalse();
            Thread.sleep(2500); // the connect-timeout, within which the answer is not overdue
            gateway.connect().send("no request\r\n\r\n").read(); // the only event loop has seen the time pass
            next.send(GET);
            assertServes(origin.accept(), 3, next);
            first.send(FrameOrigin.answer(7, "late"));
            assertThat(stays.read().body()).isEqualTo("late");
        }
    }

    /** A request that is too large is refused before its head is sent: its end must not be sent, either. */
    @Test
    void outlastTrailersOfARequestThatIsTooLargeForThem() throws IOException {
        try (RawClient neighbour = gateway.connect(); RawClient client = gateway.connect()) {
            neighbour.send(GET);
            FrameClient connection = origin.accept(MAX_HEADER_LIST_SIZE, 2000);
            connection.await(Frame.HEADERS, 3);
            client.send("POST / HTTP/1.1\r\nHost: a\r\nX-Long: " + "a".repeat(2000)
                    + "\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-Sum: 1\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(431);
            connection.send(FrameOrigin.answer(3, "neighbour"));
            assertThat(neighbour.read().body()).isEqualTo("neighbour");
            assertThat(endpoint(gateway).inFlight()).isZero();
        }
    }

    /** Servers end a connection with too many resets, and with it the requests of other clients. */
    @Test
    void areReplacedBeforeTheyCarryTooManyResets() throws IOException {
        try (RawClient stays = gateway.connect(); RawClient next = gateway.connect()) {
            stays.send(GET);
            FrameClient first = origin.accept();
            first.await(Frame.HEADERS, 3);
            var leaving = new ArrayList<RawClient>();
            for (int i = 1; i <= MAX_RESETS; i++) {
                leaving.add(gateway.connect().send(GET));
                first.await(Frame.HEADERS, 3 + 2 * i);
            }
            for (int i = 1; i <= MAX_RESETS; i++) {
                leaving.get(i - 1).close();
                assertThat(first.resetOf(3 + 2 * i)).isEqualTo(Frame.CANCEL);
            }
            next.send(GET);
            assertServes(origin.accept(), 3, next);
            first.send(FrameOrigin.answer(3, "late"));
            assertThat(stays.read().body()).isEqualTo("late");
            assertThat(first.goAway()).isEqualTo(Frame.NO_ERROR);
        }
    }
}
