package io.sluice.gateway.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.netty.util.ReferenceCountUtil;
import io.sluice.config.TlsConfig;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.RawClient;
import io.sluice.gateway.net.LoopTurns;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that are refused while their handshake waits for its turn of the event loop. */
class ClientHelloReaderIT {
    private static final String DECODE_ERROR = "15030300020232";

    /** Turns in front of a handshake, in each of which the loop reads on. */
    private static final int TURNS = 5_000;

    @TempDir
    private Path folder;
    private final AtomicReference<EventLoop> loop = new AtomicReference<>();
    private final CountDownLatch refused = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);

    /** The engine of BoringSSL that no pipeline takes over would never be released. */
    @Test
    void aRefusedClientGetsNoEngine() throws Exception {
        TlsConfig config = TlsServer.config(folder,
                TestCertificates.write(folder, "a", TestCertificates.LOCALHOST) + ", provider = openssl");
        var meter = new CertificateSwapTest.NoMeter() {
            @Override
            public void failed(HandshakeFailure reason) {
                refused.countDown();
                LoopTurns.ofThisLoop().add(loop.get(), over::countDown);
            }
        };
        try (var certificates = Certificates.load(config, List.of("http/1.1"), meter);
                var server = HandlerServer.within((connections, http) -> {
                    var tls = new TlsProtocol(config, certificates, connections, http, meter);
                    return (pipeline, watch) -> {
                        occupy(pipeline.channel().eventLoop());
                        tls.addTo(pipeline, watch);
                    };
                });
                RawClient client = server.connect()) {
            client.send(new Hello().bytes());
            server.settle();
            client.send(new byte[35_000]);

            assertThat(HexFormat.of().formatHex(client.socket().getInputStream().readAllBytes()))
                    .isEqualTo(DECODE_ERROR);
            assertThat(over.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(certificates).extracting("current.all", InstanceOfAssertFactories.LIST).singleElement()
                    .satisfies(context -> assertThat(ReferenceCountUtil.refCnt(context)).isEqualTo(1));
        }
    }

    /** Fills the turns of an event loop until the client is refused. */
    private void occupy(EventLoop of) {
        loop.set(of);
        for (int i = 0; i < TURNS; i++) {
            LoopTurns.ofThisLoop().add(of, this::occupyOneTurn);
        }
    }

    private void occupyOneTurn() {
        if (refused.getCount() > 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1)); // longer than a turn
            LoopTurns.ofThisLoop().add(loop.get(), this::occupyOneTurn);
        }
    }
}
