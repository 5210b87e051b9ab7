package io.sluice.gateway.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A master and its replica, of which a Sentinel makes the master when it decides so. */
class RedisSentinelIT {
    private LocalRedis master;
    private LocalRedis replica;
    private LocalRedis sentinel;

    @BeforeEach
    void start() throws Exception {
        master = LocalRedis.start();
        replica = LocalRedis.start("replicaof 127.0.0.1 " + master.port());
        await().atMost(Duration.ofSeconds(60)).until(() ->
                replica.command("INFO replication").contains("master_link_status:up"));
        sentinel = LocalRedis.sentinel(master); // last: it asks for replicas at once, and then every 10 s
        await().atMost(Duration.ofSeconds(60)).until(() ->
                sentinel.command("INFO sentinel").contains("slaves=1"));
    }

    @AfterEach
    void stop() {
        sentinel.close();
        replica.close();
        master.close();
    }

    private SharedTopics topics() {
        return SharedTopics.on("url = \"redis-sentinel://127.0.0.1:%d#m\"".formatted(sentinel.port()));
    }

    @Test
    void topicsGoOnWhenTheMasterIsKilledAndClientsAreTold() throws Exception {
        try (var topics = topics(); var socket = topics.follow("a")) {
            topics.passes(socket, "a", "before");
            master.close();
            topics.goesOnAfterNotice(socket, "a");
            assertThat(replica.command("INFO replication")).contains("role:master");
            topics.passes(socket, "a", "later");
        }
    }

    /** The old master takes commands for 10 s, until the Sentinel makes it a replica. */
    @Test
    void gatewaysLeaveAMasterThatIsReplacedWhileItStillTakesMessages() throws Exception {
        try (var topics = topics(); var socket = topics.follow("a")) {
            topics.passes(socket, "a", "before");
            await().atMost(Duration.ofSeconds(60)).until(() ->
                    replica.command("DBSIZE").equals(master.command("DBSIZE")));
            await().atMost(Duration.ofSeconds(60)).until(() ->
                    sentinel.command("SENTINEL FAILOVER m").equals("+OK"));
            await().atMost(Duration.ofSeconds(60)).until(() ->
                    replica.command("CLIENT LIST").split("name=sluice ", -1).length == 1 + 4);
            assertThat(master.command("INFO replication")).contains("role:master");
            topics.goesOnAfterNotice(socket, "a");
            assertThat(master.command("INFO replication")).contains("role:master");
            topics.passes(socket, "a", "later");
            endDoubt("a");
            topics.goesOnAfterNotice(socket, "a");
            topics.passes(socket, "a", "at last");
            assertTopicsThatBeginAreInDoubt(topics);
        }
    }

    private void assertTopicsThatBeginAreInDoubt(SharedTopics topics) throws Exception {
        try (var socket = topics.follow("b")) {
            topics.passes(socket, "b", "before");
            endDoubt("b");
            topics.goesOnAfterNotice(socket, "b");
        }
    }

    /** Moves the time by which the old master has ended, 11 s after another took over, into the past. */
    private void endDoubt(String topic) throws Exception {
        String set = "return redis.call('HSET', redis.call('KEYS', '*meta*:%s}')[1], 'doubt', 1)"
                .formatted(topic);
        assertThat(replica.command("EVAL \"" + set + "\" 0")).as("new fields").isEqualTo(":0");
    }

    /** Its connections stay open until the Sentinel closes them, 10 s later. */
    @Test
    void topicsGoOnWhenTheMasterBecomesAReplica() throws Exception {
        try (var topics = topics(); var socket = topics.follow("a")) {
            topics.passes(socket, "a", "before");
            await().atMost(Duration.ofSeconds(60)).until(() ->
                    sentinel.command("SENTINEL FAILOVER m").equals("+OK"));
            await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() ->
                    replica.command("INFO replication").contains("role:master"));
            assertThat(master.command("REPLICAOF 127.0.0.1 " + replica.port())).isEqualTo("+OK");
            topics.goesOnAfterNotice(socket, "a");
            topics.passes(socket, "a", "later");
        }
    }
}
