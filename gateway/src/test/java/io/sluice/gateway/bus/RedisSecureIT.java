package io.sluice.gateway.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.sluice.config.topic.BusConfig;
import io.sluice.config.topic.BusUrl;
import io.sluice.config.type.ReadableFile;
import io.sluice.config.upstream.UpstreamTlsConfig;
import io.sluice.gateway.tls.DevCertificate;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.bus.redis.RedisBus;
import io.sluice.handlers.presence.Roster;
import io.sluice.handlers.topic.Bus;
import io.sluice.handlers.topic.Position;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A bus over TLS, with a password from a file, and a user with the rights listed in operations.md. */
class RedisSecureIT {
    private static final String RIGHTS = "~sluice:* &sluice:* -@all +@connection +eval +evalsha +script|load"
            + " +info +time +@hash +@stream +@string +@sortedset +del +pexpire +publish +spublish +subscribe"
            + " +unsubscribe +ssubscribe +sunsubscribe +cluster|slots";

    @TempDir
    private static Path directory;
    private static RedisServer redis;
    private static Path certificate;
    private static Path password;

    @BeforeAll
    static void start() throws Exception {
        var written = DevCertificate.write(List.of("127.0.0.1"), directory, true);
        certificate = written.certificate();
        password = Files.writeString(directory.resolve("password"), "first\n");
        redis = RedisServer.startSecure(certificate, written.privateKey());
        assertThat(redis.command("ACL SETUSER sluice on >first " + RIGHTS)).isEqualTo("+OK");
    }

    @AfterAll
    static void stop() {
        if (redis != null) {
            redis.close();
        }
    }

    private static Bus connect(Optional<Path> authority) {
        return new RedisBus("test", new BusConfig(BusUrl.parse("rediss://127.0.0.1:" + redis.relayPort()),
                false, Optional.of("sluice"), Optional.of(new ReadableFile(password)),
                new UpstreamTlsConfig(authority.map(ReadableFile::new), Optional.empty(), Optional.empty(),
                        Optional.empty()),
                Duration.ofSeconds(10), Duration.ofSeconds(10), 100, "sluice"),
                PooledByteBufAllocator.DEFAULT, RedisServer.NO_OBSERVER);
    }

    private static Position publish(Bus.Channel channel) throws Exception {
        var message = new SharedMessage(true, ByteBufUtil.writeUtf8(PooledByteBufAllocator.DEFAULT, "hi"));
        try {
            Bus.Key key = Bus.Key.of("key" + System.nanoTime());
            return channel.publish("t", message, key, null).get(60, TimeUnit.SECONDS);
        } finally {
            message.release();
        }
    }

    private static void awaitConnected(Bus bus, boolean connected) {
        await().atMost(Duration.ofSeconds(30)).until(() -> bus.state().connected() == connected);
    }

    @Test
    void eachConnectionReadsThePassword() throws Exception {
        try (Bus bus = connect(Optional.of(certificate))) {
            awaitConnected(bus, true);
            var node = new BusEvents();
            Bus.Channel channel = bus.open("set", new Bus.Keep(10, 60_000), node);
            channel.subscribe("t");
            assertThat(node.next()).isEqualTo("subscribed t");
            Position first = publish(channel);
            assertThat(node.next()).isEqualTo(first + " hi");
            assertThat(channel.read("t", first).get(60, TimeUnit.SECONDS).certain()).isTrue();
            assertThat(channel.roster().report("t", new Roster.Report("a1", Set.of("alice"), Set.of("bob"),
                    1, 1, 0, null, 10, 60_000)).get(60, TimeUnit.SECONDS).state().members())
                    .containsExactly("alice");

            redis.command("ACL SETUSER sluice resetpass >second");
            redis.cut();
            await().atMost(Duration.ofSeconds(30)).until(() ->
                    String.valueOf(bus.state().problem()).contains("WRONGPASS"));
            Files.writeString(password, "second");
            awaitConnected(bus, true);
            assertThat(node.next()).isEqualTo("lost t");
            assertThat(node.next()).isEqualTo("subscribed t");
            assertThat(publish(channel).offset()).isEqualTo(first.offset() + 1);
        }
    }

    @Test
    void aServerOfAnotherAuthorityIsNotTrusted() {
        try (Bus bus = connect(Optional.empty())) {
            await().atMost(Duration.ofSeconds(30)).until(() ->
                    String.valueOf(bus.state().problem()).contains("certification path"));
            assertThat(bus.state().connected()).isFalse();
        }
    }
}
