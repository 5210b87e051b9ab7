package io.sluice.gateway.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import io.sluice.gateway.logging.LoggedEvents;
import java.time.Duration;
import org.slf4j.LoggerFactory;

/** The warnings of the check of statements in the background, until it is closed. */
public final class CheckWarnings implements AutoCloseable {
    private final LoggedEvents log = new LoggedEvents();
    private final Logger logger = (Logger) LoggerFactory.getLogger(BackgroundCheck.class);

    /** Begins to collect. */
    public CheckWarnings() {
        log.start();
        logger.addAppender(log);
    }

    /** Waits for warnings with these texts, and no others. */
    public void awaitThat(String... texts) {
        await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
            assertThat(log.list).hasSize(texts.length);
            for (int i = 0; i < texts.length; i++) {
                assertThat(log.list.get(i).toString()).contains(texts[i]);
            }
        });
    }

    @Override
    public void close() {
        logger.detachAppender(log);
    }
}
