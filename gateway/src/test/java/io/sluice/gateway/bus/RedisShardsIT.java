package io.sluice.gateway.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.SocketClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A cluster of three masters, of which the first one has a replica. */
class RedisShardsIT {
    private static final int MASTERS = 3;
    private static final int SLOTS = 16_384;

    private static final List<LocalRedis> nodes = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        for (int node = 0; node <= MASTERS; node++) {
            nodes.add(LocalRedis.startNode());
            command(node, "CLUSTER SET-CONFIG-EPOCH " + (node + 1));
        }
        for (int node = 0; node < MASTERS; node++) {
            command(node, "CLUSTER ADDSLOTSRANGE %d %d".formatted(SLOTS * node / MASTERS,
                    SLOTS * (node + 1) / MASTERS - 1));
        }
        for (LocalRedis node : nodes.subList(1, nodes.size())) {
            nodes.getFirst().meet(node);
        }
        for (int node = 0; node <= MASTERS; node++) {
            awaitIn(node, "CLUSTER INFO", "cluster_known_nodes:4");
            awaitIn(node, "CLUSTER INFO", "cluster_state:ok");
        }
        command(MASTERS, "CLUSTER REPLICATE " + command(0, "CLUSTER MYID"));
        awaitIn(MASTERS, "INFO replication", "master_link_status:up");
    }

    @AfterAll
    static void stop() {
        nodes.forEach(LocalRedis::close);
    }

    private static String command(int node, String command) throws IOException {
        String answer = nodes.get(node).command(command);
        assertThat(answer).as(command).doesNotStartWith("-");
        return answer;
    }

    private static void awaitIn(int node, String command, String text) {
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() ->
                assertThat(command(node, command)).contains(text));
    }

    private static SharedTopics topics() {
        return topics(nodes.get(1));
    }

    private static SharedTopics topics(LocalRedis first) {
        return SharedTopics.on("url = \"redis://127.0.0.1:%d,127.0.0.1:%d\", cluster = true".formatted(
                first.port(), nodes.get(2).port()));
    }

    /** A topic whose name begins so, on a master. */
    private static String topicOn(int node, String name) throws IOException {
        for (int number = 0;; number++) {
            if (slot(name + number) * MASTERS / SLOTS == node) {
                return name + number;
            }
        }
    }

    private static int slot(String topic) throws IOException {
        return Integer.parseInt(command(1, "CLUSTER KEYSLOT {news:%s}".formatted(topic)).substring(1));
    }

    @Test
    void topicsAreSpreadOverTheMasters() throws Exception {
        try (var topics = topics()) {
            var sockets = new LinkedHashMap<String, SocketClient>();
            for (int node = 0; node < MASTERS; node++) {
                String topic = topicOn(node, "spread");
                sockets.put(topic, topics.follow(topic));
            }
            for (String topic : sockets.keySet()) {
                topics.publish(topic, topic);
            }
            for (var socket : sockets.entrySet()) {
                assertThat(socket.getValue().next()).contains("\"data\":\"" + socket.getKey() + "\"");
                socket.getValue().close();
            }
            for (int node = 1; node < MASTERS; node++) { // the first one may have failed over
                assertThat(command(node, "EXISTS sluice:meta:{news:%s}".formatted(topicOn(node, "spread"))))
                        .isEqualTo(":1");
            }
        }
    }

    /** As one that has lost its nodes.conf, and was replaced by its replica. */
    @Test
    void aServerThatKnowsNoSlotIsNotBelieved() throws Exception {
        String topic = topicOn(2, "stranger");
        try (var stranger = LocalRedis.startNode(); var topics = topics(stranger);
                var socket = topics.follow(topic)) {
            topics.passes(socket, topic, "passes");
        }
    }

    @Test
    void aTopicGoesOnWhenItsSlotIsMovedAndClientsAreTold() throws Exception {
        String topic = topicOn(1, "moved");
        String staying = topicOn(2, "staying");
        try (var topics = topics(); var socket = topics.follow(topic);
                var undisturbed = topics.follow(staying)) {
            topics.passes(socket, topic, "before");
            moveSlot(slot(topic), 1, 2);
            topics.goesOnAfterNotice(socket, topic);
            topics.passes(socket, topic, "later");
            topics.passes(undisturbed, staying, "all along");
        }
    }

    private static void moveSlot(int slot, int from, int to) throws IOException {
        String source = command(from, "CLUSTER MYID");
        String target = command(to, "CLUSTER MYID");
        command(to, "CLUSTER SETSLOT %d IMPORTING %s".formatted(slot, source));
        command(from, "CLUSTER SETSLOT %d MIGRATING %s".formatted(slot, target));
        for (String key : List.of("meta", "stream")) {
            command(from, "MIGRATE 127.0.0.1 %d sluice:%s:{news:%s} 0 10000".formatted(
                    nodes.get(to).port(), key, topicOn(1, "moved")));
        }
        for (int node : List.of(to, from)) {
            command(node, "CLUSTER SETSLOT %d NODE %s".formatted(slot, target));
        }
    }

    @Test
    void topicsGoOnWhenAMasterIsKilledAndClientsAreTold() throws Exception {
        String topic = topicOn(0, "killed");
        String staying = topicOn(2, "staying");
        try (var topics = topics(); var socket = topics.follow(topic);
                var undisturbed = topics.follow(staying)) {
            topics.passes(socket, topic, "before");
            nodes.getFirst().close();
            topics.goesOnAfterNotice(socket, topic);
            topics.passes(socket, topic, "later");
            topics.passes(undisturbed, staying, "all along");
            assertThat(command(MASTERS, "INFO replication")).contains("role:master");
        }
    }
}
