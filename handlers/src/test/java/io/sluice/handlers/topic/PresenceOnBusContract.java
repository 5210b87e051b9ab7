package io.sluice.handlers.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sluice.config.topic.PresenceConfig;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.presence.Presence;
import io.sluice.handlers.rights.Caller;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contract of presence: the members that gateways on one bus know of each other. */
public abstract class PresenceOnBusContract extends BusContract {
    private static final Caller ALICE = new Caller("alice");
    private static final Caller BOB = new Caller("bob");

    private final List<Gateway> gateways = new ArrayList<>();

    @AfterEach
    void closeGateways() {
        gateways.forEach(Gateway::close);
    }

    private final class Gateway implements Bus.Receiver {
        final BlockingQueue<String> told = new LinkedBlockingQueue<>();
        final Bus bus;
        final Presence presence;

        Gateway() throws Exception {
            this(Duration.ofMinutes(1));
        }

        Gateway(Duration expiry) throws Exception {
            var config = new PresenceConfig(Duration.ofMillis(20), 3, Duration.ofMillis(10), expiry);
            bus = server().connect();
            presence = Presence.start(config, bus.open("set", new Bus.Keep(0, 1000), this).roster(),
                    this::tell);
            TopicRoom.await(() -> bus.state().connected());
            gateways.add(this);
        }

        private void tell(String topic, SharedMessage state) {
            state.with((_, json) -> {
                told.add(json.toString(StandardCharsets.UTF_8));
                return Unpooled.EMPTY_BUFFER;
            });
        }

        Gateway with(Caller... callers) {
            List.of(callers).forEach(caller -> presence.joined("t", caller));
            return this;
        }

        String read() {
            return new String(presence.read("t").handle((json, failure) ->
                    failure == null ? json : new byte[0]).join(), StandardCharsets.UTF_8);
        }

        void awaitState(int count, int anonymous, String... members) {
            String names = members.length == 0 ? "" : '"' + String.join("\",\"", members) + '"';
            String state = "{\"count\":%d,\"anonymous\":%d,\"members\":[%s],\"truncated\":%s}"
                    .formatted(count, anonymous, names, members.length < count - anonymous);
            TopicRoom.await(() -> read().equals(state));
        }

        void awaitTold(String... parts) throws Exception {
            String next;
            do {
                next = told.poll(30, TimeUnit.SECONDS);
                assertThat(next).isNotNull();
            } while (!List.of(parts).stream().allMatch(next::contains));
        }

        void close() {
            presence.close();
            bus.close();
        }

        @Override
        public void subscribed(String topic) {
        }

        @Override
        public void message(String topic, Position position, boolean text, ByteBuf payload) {
            payload.release();
        }

        @Override
        public void lost(String topic) {
        }
    }

    @Test
    void aMemberOfTwoGatewaysIsCountedOnceAndLeavesWithTheLast() throws Exception {
        Gateway one = new Gateway().with(ALICE, Caller.ANONYMOUS);
        one.awaitState(2, 1, "alice");
        Gateway other = new Gateway().with(ALICE, BOB, Caller.ANONYMOUS);
        one.awaitState(4, 2, "alice", "bob");
        other.awaitState(4, 2, "alice", "bob");

        one.presence.left("t", ALICE);
        other.presence.left("t", BOB);
        one.awaitState(3, 2, "alice");
        other.presence.left("t", ALICE);
        one.presence.left("t", Caller.ANONYMOUS);
        other.presence.left("t", Caller.ANONYMOUS);
        one.awaitState(0, 0);
        assertThat(new String(other.presence.read("other").join(), StandardCharsets.UTF_8))
                .contains("\"count\":0");
    }

    @Test
    void thoseWhoWatchAreToldWhatChangesElsewhere() throws Exception {
        Gateway one = new Gateway().with(ALICE);
        one.presence.watched("t");
        one.awaitTold("\"count\":1", "\"members\":[\"alice\"]", "\"joined\":[]");
        Gateway other = new Gateway().with(BOB);
        one.awaitTold("\"count\":2", "\"members\":[\"alice\",\"bob\"]", "\"joined\":[\"bob\"]");
        other.with(new Caller("c"), new Caller("d"));
        one.awaitTold("\"count\":4", "\"truncated\":true");
        other.presence.left("t", BOB);
        one.awaitTold("\"count\":3", "\"truncated\":false", "\"left\":[\"bob\"]");
    }

    @Test
    void theMembersOfAGatewayThatWasKilledLeave() throws Exception {
        Gateway one = new Gateway(Duration.ofMillis(600)).with(ALICE, BOB, Caller.ANONYMOUS);
        Gateway other = new Gateway().with(BOB);
        other.presence.watched("t");
        other.awaitTold("\"count\":3", "\"alice\"", "\"bob\"");

        gateways.remove(one);
        one.bus.close(); // nothing is told any more
        other.awaitTold("\"count\":1", "\"anonymous\":0", "\"members\":[\"bob\"]", "\"left\":[\"alice\"]");
        one.presence.close();
    }

    @Test
    void manyMembersOfAKilledGatewayLeaveInSteps() throws Exception {
        Gateway one = new Gateway(Duration.ofMillis(600));
        for (int i = 0; i < 1200; i++) {
            one.with(new Caller("m" + i));
        }
        TopicRoom.await(() -> one.read().startsWith("{\"count\":1200,"));
        gateways.remove(one);
        one.bus.close();
        new Gateway().awaitState(0, 0);
        one.presence.close();
    }

    @Test
    void aGatewayThatStopsKeepsThoseThatHaveGoneOnToAnother() throws Exception {
        Gateway one = new Gateway().with(ALICE, BOB, Caller.ANONYMOUS);
        one.awaitState(3, 1, "alice", "bob");
        Gateway other = new Gateway().with(BOB);
        other.awaitState(3, 1, "alice", "bob");
        gateways.remove(one);
        one.close();
        other.awaitState(1, 0, "bob");
    }

    @Test
    void aReportThatTheServerHasLostIsMadeAgainAlsoWithAsManyNames() throws Exception {
        Gateway one = new Gateway(Duration.ofSeconds(6)).with(ALICE);
        one.awaitState(1, 0, "alice");
        Runnable loss = server().rememberMembers("t");
        one.presence.left("t", ALICE);
        one.with(BOB);
        one.awaitState(1, 0, "bob");
        loss.run();
        new Gateway().awaitState(1, 0, "bob"); // which shares no answer from before
    }

    @Test
    void aServerWithoutMemoryGetsTheMembersAgain() throws Exception {
        Gateway one = new Gateway(Duration.ofMillis(600)).with(ALICE, Caller.ANONYMOUS);
        one.awaitState(2, 1, "alice");
        server().stop();
        TopicRoom.await(() -> !one.bus.state().connected());
        server().startEmpty();
        TopicRoom.await(() -> one.bus.state().connected());
        one.awaitState(2, 1, "alice");
    }
}
