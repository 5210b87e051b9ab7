package io.sluice.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.handlers.HttpException;
import io.sluice.offload.ClientNetwork;
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

    private static final InetAddress FIRST = InetAddress.ofLiteral("10.0.0.1");
    private static final InetAddress SECOND = InetAddress.ofLiteral("10.0.0.2");

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

    private static boolean isFull(InetAddress client) {
        return RequestMemory.isFull(ClientNetwork.of(client));
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

    @Test
    void sharedConnectionCountsForTheClientOfItsRequest() {
        RequestMemory memory = of(null);
        memory.take(LIMIT / 2 + 2 * FREE);
        assertThat(isFull(FIRST)).isFalse();

        assertThatThrownBy(() -> memory.countFor(FIRST)).hasMessage(RequestMemory.refusal().getMessage());
        assertThat(isFull(FIRST)).isTrue();
        of(null).countFor(FIRST); // a small request
        assertThat(memory.tryTake(FREE)).as("of the next request, perhaps of another client").isTrue();
        assertThatThrownBy(() -> memory.countFor(SECOND)).isInstanceOf(HttpException.class);

        assertThat(isFull(FIRST)).isFalse();
        assertThat(isFull(SECOND)).isTrue();
        connections.getFirst().close();
        assertThat(isFull(SECOND)).isFalse();
    }

    @Test
    void partOfASharedConnectionCountsForItsClient() {
        RequestMemory memory = of(null);
        memory.take(LIMIT / 2 + 2 * FREE);
        var part = new RequestMemoryPart(memory);
        var other = new RequestMemoryPart(memory);
        part.take(LIMIT / 4);
        part.countFor(FIRST);
        other.countFor(SECOND);
        assertThat(part.hasRoom(1)).isTrue();

        part.take(LIMIT / 4);

        assertThat(part.hasRoom(1)).isFalse();
        assertThat(isFull(FIRST)).isTrue();
        var third = new RequestMemoryPart(memory);
        assertThatThrownBy(() -> third.countFor(FIRST)).isInstanceOf(HttpException.class);
        third.close();
        assertThat(isFull(SECOND)).isFalse();
        part.giveBack(LIMIT / 4);
        assertThat(isFull(FIRST)).isFalse();
        part.take(LIMIT / 4);
        part.close();
        part.close();
        other.close();
        assertThat(isFull(FIRST)).isFalse();
    }

    @Test
    void connectionOfAClientCountsForThatOnly() {
        RequestMemory memory = of("10.0.0.1");
        memory.take(LIMIT / 2 + 2 * FREE);
        memory.countFor(SECOND);
        new RequestMemoryPart(memory).countFor(SECOND);

        assertThat(isFull(FIRST)).isTrue();
        assertThat(isFull(SECOND)).isFalse();
    }
}
