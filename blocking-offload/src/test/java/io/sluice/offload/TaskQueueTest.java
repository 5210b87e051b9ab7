package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.ImmediateEventExecutor;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TaskQueueTest {
    private static final ClientNetwork GREEDY = client("10.0.0.1");
    private static final ClientNetwork OTHER = client("10.0.0.2");

    private final MockTicker clock = Ticker.newMockTicker();
    private final TaskQueue<OffloadTask<?>> queue = new TaskQueue<>(2);

    private static ClientNetwork client(String address) {
        try {
            return ClientNetwork.of(InetAddress.getByName(address));
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private OffloadTask<?> task(ClientNetwork client) {
        return new OffloadTask<Void>(null, client, Deadline.after(Duration.ofHours(1), clock),
                ImmediateEventExecutor.INSTANCE, _ -> null);
    }

    private OffloadTask<?> add(ClientNetwork client) {
        OffloadTask<?> task = task(client);
        queue.add(task);
        return task;
    }

    private OffloadTask<?> start(ClientNetwork client) {
        OffloadTask<?> task = task(client);
        queue.started(task);
        return task;
    }

    private List<OffloadTask<?>> order() {
        var order = new ArrayList<OffloadTask<?>>();
        for (OffloadTask<?> task = queue.poll(2); task != null; task = queue.poll(2)) {
            queue.started(task);
            order.add(task);
        }
        return order;
    }

    @Test
    void oneClientIsServedInTheOrderInWhichItAsked() {
        OffloadTask<?> a = add(GREEDY);
        OffloadTask<?> b = add(GREEDY);
        OffloadTask<?> c = add(GREEDY);
        OffloadTask<?> d = add(GREEDY);

        assertThat(order()).isEqualTo(List.of(a, b, c, d));
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void aClientBeyondItsShareComesBehindAllOthers() {
        start(GREEDY);
        OffloadTask<?> within = add(GREEDY);
        OffloadTask<?> surplus = add(GREEDY);
        assertThat(queue.ahead(GREEDY)).isEqualTo(2);
        assertThat(queue.ahead(OTHER)).isEqualTo(1);
        OffloadTask<?> other = add(OTHER);
        OffloadTask<?> ofNobody = add(null);

        assertThat(order()).isEqualTo(List.of(within, other, ofNobody, surplus));
    }

    @Test
    void surplusComesToItsTurnWhenATaskOfItsClientEnds() {
        OffloadTask<?> first = start(GREEDY);
        OffloadTask<?> second = start(GREEDY);
        OffloadTask<?> surplus = add(GREEDY);
        assertThat(queue.ahead(OTHER)).isZero();

        queue.ended(first);

        assertThat(queue.ahead(OTHER)).isEqualTo(1);
        OffloadTask<?> other = add(OTHER);
        queue.ended(second);
        assertThat(order()).isEqualTo(List.of(surplus, other));
    }

    @Test
    void surplusComesToItsTurnWhenATaskOfItsClientIsGivenUp() {
        start(GREEDY);
        OffloadTask<?> given = add(GREEDY);
        add(GREEDY);
        queue.remove(given);

        assertThat(queue.ahead(OTHER)).isEqualTo(1);
        assertThat(queue.size()).isEqualTo(1);
    }

    @Test
    void surplusThatComesToItsTurnWaitsForThoseThatAreDue() {
        OffloadTask<?> first = start(GREEDY);
        start(GREEDY);
        OffloadTask<?> older = add(GREEDY);
        OffloadTask<?> surplus = add(GREEDY);
        queue.remove(older);
        add(OTHER);
        clock.advanceMillis(500);
        assertThat(surplus.ahead()).isEqualTo(1);
        assertThat(surplus.queuedNanos()).isEqualTo(500_000_000);
        add(null);

        queue.ended(first);
        clock.advanceMillis(20);

        assertThat(surplus.ahead()).as("those that are due").isEqualTo(2);
        assertThat(surplus.queuedNanos()).as("since it is due").isEqualTo(20_000_000);
    }

    @Test
    void surplusLeavesTheReserveToOthers() {
        queue.keepInReserve(1);
        start(GREEDY);
        start(GREEDY);
        OffloadTask<?> surplus = add(GREEDY);

        assertThat(queue.isServed(GREEDY, 1)).isFalse();
        assertThat(queue.isServed(OTHER, 1)).isTrue();
        assertThat(queue.poll(1)).isNull();
        assertThat(queue.poll(2)).isSameAs(surplus);
        assertThat(queue.isServed(GREEDY, 1)).isFalse();
        assertThat(queue.isServed(GREEDY, 2)).isTrue();
    }

    @Test
    void surplusWithoutAReserveIsServedInItsTurn() {
        start(GREEDY);
        start(GREEDY);
        OffloadTask<?> surplus = add(GREEDY);

        assertThat(queue.isServed(GREEDY, 1)).as("before what waits").isFalse();
        assertThat(queue.poll(1)).isSameAs(surplus);
        assertThat(queue.isServed(GREEDY, 1)).isTrue();
    }

    @Test
    void theYoungestSurplusMakesRoomForAClientWithinItsShare() {
        start(GREEDY);
        OffloadTask<?> within = add(GREEDY);
        OffloadTask<?> older = add(GREEDY);
        OffloadTask<?> youngest = add(GREEDY);

        assertThat(queue.canMakeRoomFor(GREEDY)).isFalse();
        assertThat(queue.canMakeRoomFor(OTHER)).isTrue();
        assertThat(queue.pollYoungestSurplus()).isSameAs(youngest);
        assertThat(order()).isEqualTo(List.of(within, older));
        assertThat(queue.canMakeRoomFor(OTHER)).isFalse();
    }

    @Test
    void aClientHoldsTooManyWorkersOnlyBeyondItsShare() {
        start(GREEDY);
        OffloadTask<?> second = start(GREEDY);
        assertThat(queue.holdsTooMany(GREEDY)).isFalse();
        OffloadTask<?> third = start(GREEDY);
        assertThat(queue.holdsTooMany(GREEDY)).isTrue();

        queue.ended(second);
        assertThat(queue.holdsTooMany(GREEDY)).isFalse();
        queue.ended(third);
        assertThat(queue.isBeyondShare(GREEDY)).isFalse();
    }

    @Test
    void anIpv6NetworkIsOneClient() {
        assertThat(client("2001:db8::1")).isEqualTo(client("2001:db8::ffff:0:0:1"))
                .isNotEqualTo(client("2001:db8:0:1::1"));
    }
}
