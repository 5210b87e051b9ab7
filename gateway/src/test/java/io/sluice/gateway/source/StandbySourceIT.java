package io.sluice.gateway.source;

import static io.sluice.gateway.source.SourceBed.soon;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.sluice.gateway.Containers;
import io.sluice.gateway.logging.LoggedEvents;
import io.sluice.gateway.offload.ReplicatedPostgres;
import io.sluice.offload.source.TopicSource;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Sources whose connections lead to a standby. */
class StandbySourceIT {

    @Test
    void aStandbyIsRefusedWithItsRemedy() throws SQLException {
        var logger = (Logger) LoggerFactory.getLogger(TopicSource.class);
        var events = new LoggedEvents();
        events.start();
        logger.addAppender(events);
        try (ReplicatedPostgres postgres = Containers.startOrSkip(ReplicatedPostgres::new);
                var bed = new SourceBed("jdbc:postgresql://%s:%d/%s".formatted(postgres.host(),
                        postgres.replicaPort(), postgres.name()), postgres.user(), postgres.password())) {
            TopicSource outbox = bed.readOutbox(new RecordingSink(), "");
            TopicSource slot = bed.readSlot(new RecordingSink(), "tables { x = y }");
            soon().until(() -> outbox.stats().failures() > 0 && slot.stats().failures() > 0);
        } finally {
            logger.detachAppender(events);
        }
        assertThat(events.list).extracting(ILoggingEvent::getFormattedMessage).hasSize(2)
                .allSatisfy(line -> assertThat(line).contains("a standby", "targetServerType=primary")
                        .doesNotContain("wal_level"));
    }
}
