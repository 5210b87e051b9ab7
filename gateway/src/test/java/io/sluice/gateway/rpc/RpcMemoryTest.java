package io.sluice.gateway.rpc;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.config.topic.TopicsConfig;
import io.sluice.config.type.ByteSize;
import io.sluice.config.type.Method;
import io.sluice.config.type.PathTemplate;
import io.sluice.gateway.limits.BodyMemory;
import io.sluice.gateway.limits.RequestMemory;
import io.sluice.gateway.routing.Route;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.MemoryShare;
import io.sluice.handlers.topic.TopicGate;
import io.sluice.handlers.topic.Topics;
import io.sluice.offload.ClientNetwork;
import java.net.InetAddress;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The memory for the requests and subscriptions of a {@code ws-rpc} socket whose connection stays open. */
class RpcMemoryTest {
    private static final ClientNetwork CLIENT = ClientNetwork.of(InetAddress.ofLiteral("192.0.2.1"));
    private static final String LONG = "/wait/" + "x".repeat(6000);

    private final long before = RequestMemory.counted();
    private final EmbeddedChannel others = new EmbeddedChannel();
    /** The bodies of the same client that are not those of the socket. */
    private final BodyMemory ofClient = new BodyMemory(CLIENT);
    private final Queue<Exchange> waiting = new ConcurrentLinkedQueue<>();
    private final Topics topics = new Topics(
            new TopicsConfig(Optional.empty(), new ByteSize(0), Optional.empty(), Optional.empty()));
    private final RpcTestBed bed = new RpcTestBed(
            route("/hello", exchange -> answer(exchange, "hello")),
            route("/wait/**", waiting::add),
            new Route("events", PathTemplate.parse("/events/{topic}"), Set.of(Method.GET), "events",
                    new TopicGate(topics).around(waiting::add)));

    @AfterEach
    void theEndOfTheSocketGivesBackAll() {
        others.close();
        bed.goAway();
        ofClient.giveBackAll();
        assertThat(ofClient.hasRoom(MemoryShare.EIGHTH, 0)).isTrue();
        new BodyMemory(CLIENT).take(1);
        assertThat(ofClient.hasRoom(MemoryShare.EIGHTH, 0)).as("no more is given back").isFalse();
        new BodyMemory(CLIENT).take(-1);
        assertThat(RequestMemory.counted()).isEqualTo(before);
        bed.close();
        topics.close();
    }

    private void othersTakeAll() {
        new RequestMemory(others, () -> null).take((int) RequestMemory.limit() + 4 * 1024);
    }

    private static String waitFor(int id, String path) {
        return "{'id':%d,'path':'%s'}".formatted(id, path);
    }

    private static String subscribe(int id) {
        return "{'id':%d,'subscribe':'/events/%d'}".formatted(id, id);
    }

    private void subscribeToMany() {
        for (int id = 0; id < 100; id++) {
            assertThat(bed.ask(subscribe(id))).isEqualTo("{'id':" + id + ",'status':200}");
            bed.answer(); // the position
        }
        assertThat(RequestMemory.counted() - before).isBetween(100L * 1000, 200L * 1000);
    }

    @Test
    void requestsWithoutRoomAreRefused() {
        othersTakeAll();
        bed.send(waitFor(1, "/wait/")); // for which each socket has memory

        assertThat(bed.ask(waitFor(2, "/wait/"))).startsWith("{'id':2,'status':503,")
                .contains("short of memory for requests");
        answer(waiting.remove(), "done");
        assertThat(bed.answer()).startsWith("{'id':1,'status':200,");
        assertThat(bed.ask(waitFor(3, "/hello"))).startsWith("{'id':3,'status':200,");
        assertThat(bed.ask(waitFor(4, LONG))).startsWith("{'id':4,'status':503,");
        assertThat(waiting).isEmpty();
    }

    @Test
    void requestsCountUntilTheirEnd() {
        for (int i = 0; i < 10; i++) {
            bed.send(waitFor(i, LONG));
        }
        assertThat(RequestMemory.counted() - before).isGreaterThan(10 * 2 * 6000);

        for (int i = 0; i < 10; i++) {
            answer(waiting.remove(), "done");
            bed.answer();
        }
        assertThat(RequestMemory.counted()).isEqualTo(before);
    }

    @Test
    void requestsOfAClosedSocketCountNoMore() {
        bed.send(waitFor(1, LONG), waitFor(2, LONG));
        assertThat(RequestMemory.counted()).isGreaterThan(before);
    }

    private static String post(int id, int length) {
        return "{'id':%d,'method':'POST','path':'/wait/','body':'%s'}".formatted(id, "x".repeat(length));
    }

    @Test
    void largeBodiesWithoutRoomAreRefused() {
        ofClient.take(MemoryShare.EIGHTH + 1);

        assertThat(bed.ask(post(1, MemoryShare.FREE_BODY))).startsWith("{'id':1,'status':503,")
                .contains("too many bodies of this client wait");
        assertThat(bed.ask(waitFor(2, "/hello"))).startsWith("{'id':2,'status':200,");
        assertThat(bed.ask(subscribe(3))).isEqualTo("{'id':3,'status':200}");
        bed.answer();
        bed.send(post(4, 100));
        assertThat(waiting).hasSize(1);
    }

    @Test
    void largeBodiesCountUntilTheirEnd() {
        bed.send(post(1, MemoryShare.FREE_BODY));
        assertThat(ofClient.hasRoom(MemoryShare.EIGHTH, 0)).isFalse();

        answer(waiting.remove(), "done");
        bed.answer();
        assertThat(ofClient.hasRoom(MemoryShare.EIGHTH, 0)).isTrue();
    }

    @Test
    void subscriptionsWithoutRoomAreRefused() {
        othersTakeAll();
        assertThat(bed.ask(subscribe(1))).isEqualTo("{'id':1,'status':200}");
        bed.answer();

        assertThat(bed.ask(subscribe(2))).startsWith("{'id':2,'status':503,")
                .contains("short of memory for requests");
        assertThat(bed.ask("{'unsubscribe':1}")).isEqualTo("{'id':null,'status':200}");
        assertThat(bed.ask(subscribe(2))).isEqualTo("{'id':2,'status':200}");
        bed.answer();
    }

    @Test
    void subscriptionsCountUntilTheirEnd() {
        subscribeToMany();
        for (int id = 0; id < 100; id++) {
            bed.ask("{'unsubscribe':" + id + '}');
        }
        assertThat(RequestMemory.counted()).isEqualTo(before);
    }

    @Test
    void subscriptionsOfAClosedSocketCountNoMore() {
        subscribeToMany();
    }
}
