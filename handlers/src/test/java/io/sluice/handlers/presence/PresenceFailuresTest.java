package io.sluice.handlers.presence;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.ImmediateEventExecutor;
import io.sluice.config.topic.PresenceConfig;
import io.sluice.handlers.presence.Roster.Answer;
import io.sluice.handlers.presence.Roster.Report;
import io.sluice.handlers.rights.Caller;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Presence whose reports cannot be made, as each second call of its clock throws. */
class PresenceFailuresTest {
    private static final Caller ALICE = new Caller("alice");
    private static final int TOPICS = 200; // more than the reports that may be under way

    private final Set<String> reported = new HashSet<>();
    private final Roster members = new LocalRoster();
    private final Presence presence = new Presence(
            new PresenceConfig(Duration.ofSeconds(1), 2, Duration.ofSeconds(10), Duration.ofSeconds(30)),
            this::report, (_, _) -> { }, ImmediateEventExecutor.INSTANCE, this::now);
    private boolean failing;
    private int calls;
    private long seconds;

    private long now() {
        if (failing && ++calls % 2 == 0) {
            throw new StackOverflowError("thrown by a test");
        }
        return seconds * 1_000_000_000;
    }

    private CompletableFuture<Answer> report(String topic, Report report) {
        reported.add(topic);
        return members.report(topic, report);
    }

    private void tick(int times) {
        for (int i = 0; i < times; i++) {
            seconds++;
            calls = 0; // the first call is that of the tick
            presence.tick();
        }
    }

    @Test
    void reportsThatCannotBeMadeAreMadeLater() {
        failing = true;
        for (int i = 0; i < TOPICS; i++) {
            presence.joined("t" + i, ALICE);
            tick(1);
        }
        failing = false;
        tick(1);

        assertThat(reported).hasSize(TOPICS);
    }

    @Test
    void renewalsThatCannotBeMadeAreMadeLater() {
        for (int i = 0; i < TOPICS; i++) {
            presence.joined("t" + i, ALICE);
        }
        tick(1);
        failing = true;
        tick(TOPICS);
        failing = false;
        reported.clear();
        tick(20);

        assertThat(reported).hasSize(TOPICS);
    }
}
