package io.sluice.gateway.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.Containers;
import io.sluice.gateway.offload.BadNetwork;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A restart of the database while orders are written, which an outbox and a slot publish. */
class SourceOutageIT {
    private static BadNetwork network;

    @BeforeAll
    static void startContainers() {
        network = Containers.startOrSkip(BadNetwork::new);
    }

    @AfterAll
    static void stopContainers() {
        if (network != null) {
            network.close();
        }
    }

    @Test
    void committedMessagesArePublishedOnceAcrossARestart() throws Exception {
        var fromOutbox = new RecordingSink();
        var fromSlot = new RecordingSink();
        var done = new AtomicBoolean();
        var committed = new AtomicInteger();
        var bed = new SourceBed(network.url(), network.user(), network.user()).outbox();
        bed.execute("CREATE TABLE $t_orders (id int PRIMARY KEY)");
        bed.slot("$t_orders");
        bed.readOutbox(fromOutbox, "");
        bed.readOutbox(fromOutbox, "listen = true");
        bed.readSlot(fromSlot, "tables { " + bed.name + "_orders = orders }");
        Thread producer = Thread.ofVirtual().start(() -> {
            for (int id = 1; !done.get(); id++) {
                try (Connection own = DriverManager.getConnection(bed.url(), bed.user(), bed.password())) {
                    own.setAutoCommit(false);
                    for (; !done.get(); id++) {
                        bed.execute(own, "INSERT INTO $t_orders VALUES (" + id + ");"
                                + "INSERT INTO $t (topic, payload) VALUES ('orders', '" + id + "')");
                        own.commit();
                        committed.incrementAndGet();
                    }
                } catch (SQLException e) {
                    // the database is down; it is unknown whether this order was committed
                    Thread.onSpinWait();
                }
            }
        });
        await().atMost(Duration.ofMinutes(1)).until(() -> fromOutbox.size() > 100 && fromSlot.size() > 100);
        network.killAndRestartDatabase();
        int before = committed.get();
        await().atMost(Duration.ofMinutes(1)).until(() -> committed.get() > before + 100);
        done.set(true);
        producer.join();

        try (var after = new SourceBed(bed.url(), bed.user(), bed.password(), bed.name)) {
            long orders = after.number("SELECT count(*) FROM $t_orders");
            await().atMost(Duration.ofMinutes(1)).until(
                    () -> fromOutbox.size() == orders && fromSlot.size() == orders);
            assertThat(after.rows()).isZero();
            assertThat(fromOutbox.messages()).extracting(message ->
                    Integer.valueOf(new String(message.payload(), StandardCharsets.UTF_8)))
                    .doesNotHaveDuplicates().isSorted();
            assertThat(fromSlot.texts()).doesNotHaveDuplicates();
            System.out.printf("%d orders of %d whose commit was heard of; handed over twice: %d and %d%n",
                    orders, committed.get(), fromOutbox.repeated(), fromSlot.repeated());
        } finally {
            bed.close();
        }
    }
}
