package io.sluice.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RequestMemoryTest {
    private static final int FREE = 4 * 1024;
    private static final int MIB = 1024 * 1024;
    private static final int LIMIT = (int) RequestMemory.limit();

    private final long before = RequestMemory.counted();
    private final List<EmbeddedChannel> connections = new ArrayList<>();

    @AfterEach
    void closedConnectionsGiveBackAll() {
        connections.forEach(EmbeddedChannel::close);
        assertThat(RequestMemory.counted()).isEqualTo(before);
    }

    private RequestMemory of(@Nullable String client) {
        var connection = new EmbeddedChannel();
        connections.add(connection);
        return new RequestMemory(connection, () -> client == null ? null : InetAddress.ofLiteral(client));
    }

    @Test
    void fewBytesAreFree() {
        RequestMemory memory = of(null);
        of(null).take(LIMIT + FREE);

        assertThat(memory.tryTake(FREE)).isTrue();
        assertThat(memory.hasRoom(1)).isFalse();
        assertThat(memory.tryTake(1)).isFalse();
        memory.giveBack(FREE);
        assertThat(memory.hasRoom(FREE)).isTrue();
    }

    @Test
    void clientHasAHalf() {
        assertThat(of("10.0.0.1").tryTake(LIMIT / 2 + FREE)).isTrue();
        assertThat(of("10.0.0.1").tryTake(FREE + 1)).isFalse();
        assertThat(of("10.0.0.2").tryTake(LIMIT / 4)).isTrue();
    }

    @Test
    void connectionThatManyClientsShareMayHaveAll() {
        assertThat(of(null).tryTake(LIMIT + FREE)).isTrue();
        assertThat(of("10.0.0.2").tryTake(FREE + 1)).isFalse();
    }

    @Test
    void givesBackWhatIsNoLongerUsed() {
        RequestMemory memory = of("10.0.0.1");
        for (int i = 0; i < 100; i++) {
            assertThat(memory.tryTake(MIB)).isTrue();
            assertThat(RequestMemory.counted()).isBetween(before + MIB - FREE, before + 2 * MIB);
            memory.giveBack(MIB);
            assertThat(RequestMemory.counted()).isEqualTo(before);
        }
    }

    @Test
    void tunnelsOfStreamsShareTheAccountOfTheirConnection() {
        RequestMemory ofStreams = of("10.0.0.1");
        EmbeddedChannel connection = connections.getFirst();
        InetAddress client = InetAddress.ofLiteral("10.0.0.2");
        assertThat(RequestMemory.ofTunnel(connection, client)).isNotSameAs(ofStreams);

        ofStreams.shareWithTunnels();

        assertThat(RequestMemory.ofTunnel(connection, client)).isSameAs(ofStreams);
    }

    @Test
    void connectionThatIsClosedAlreadyTakesNothing() {
        RequestMemory memory = of("10.0.0.1");
        connections.getFirst().close();
        memory.take(MIB);
        assertThat(RequestMemory.counted()).isEqualTo(before);
    }

    @Test
    void closedConnectionTakesNoMore() {
        RequestMemory memory = of("10.0.0.1");
        memory.take(MIB);
        connections.getFirst().close();
        assertThat(memory.tryTake(MIB)).isTrue();
        memory.giveBack(2 * MIB);
        assertThat(RequestMemory.counted()).isEqualTo(before);
    }
}
