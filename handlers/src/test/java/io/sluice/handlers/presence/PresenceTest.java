package io.sluice.handlers.presence;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.sluice.config.topic.PresenceConfig;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.presence.Roster.Answer;
import io.sluice.handlers.presence.Roster.Report;
import io.sluice.handlers.rights.Caller;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Presence at a gateway, whose clock only the test moves: an interval is 1 s. */
class PresenceTest {
    private static final Caller ALICE = new Caller("alice");
    private static final Caller BOB = new Caller("bob");
    private static final PresenceConfig CONFIG =
            new PresenceConfig(Duration.ofSeconds(1), 2, Duration.ofSeconds(10), Duration.ofSeconds(30));

    private final List<Report> reports = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private final Roster members = new LocalRoster();
    private final Presence presence = new Presence(CONFIG, this::report, this::tell,
            ImmediateEventExecutor.INSTANCE, this::now);
    private boolean down;
    /** Thrown by the roster and the feed; null for nothing. */
    private Error thrown;
    /** The number of members that the roster claims to have of the gateway; if negative, the real one. */
    private int here = -1;
    /** Indicates whether the roster says that it has lost members. */
    private boolean lost;
    private long seconds;

    private long now() {
        return seconds * 1_000_000_000;
    }

    private CompletableFuture<Answer> report(String topic, Report report) {
        reports.add(report);
        throwing();
        return down ? CompletableFuture.failedFuture(new IllegalStateException("down"))
                : members.report(topic, report).thenApply(answer -> here < 0 && !lost ? answer
                        : new Answer(here, answer.more(), answer.state()));
    }

    private void throwing() {
        if (thrown != null) {
            throw thrown;
        }
    }

    private void tell(String topic, SharedMessage state) {
        throwing();
        var json = new StringBuilder(topic).append(' ');
        state.with((_, text) -> {
            json.append(text.toString(StandardCharsets.UTF_8));
            return Unpooled.EMPTY_BUFFER;
        });
        told.add(json.toString());
    }

    private void tick(int times) {
        for (int i = 0; i < times; i++) {
            seconds++;
            presence.tick();
        }
    }

    private List<Report> taken() {
        List<Report> taken = List.copyOf(reports);
        reports.clear();
        return taken;
    }

    private String read() {
        return new String(presence.read("t").join(), StandardCharsets.UTF_8);
    }

    @Test
    void theChangesOfAnIntervalAreReportedTogetherAndThenOnlyThatItLives() {
        for (int i = 0; i < 1200; i++) {
            presence.joined("t", new Caller("m" + i % 600));
            presence.joined("t", Caller.ANONYMOUS);
        }
        assertThat(reports).isEmpty();
        tick(1);
        assertThat(taken()).hasSize(6).allMatch(report -> report.joining().size() == 100);
        assertThat(read()).isEqualTo("{\"count\":1800,\"anonymous\":1200,\"members\":[\"m0\",\"m1\"],"
                + "\"truncated\":true}");
        taken();
        tick(9);
        assertThat(reports).isEmpty();
        tick(1);
        assertThat(taken()).singleElement().satisfies(report -> {
            assertThat(report.joining()).isEmpty();
            assertThat(report.anonymous()).isEqualTo(1200);
        });
    }

    @Test
    void aMemberLeavesWithItsLastConnectionAndNotForAShortTime() {
        presence.joined("t", ALICE);
        presence.joined("t", ALICE);
        tick(1);
        presence.left("t", ALICE);
        tick(20);
        presence.left("t", ALICE);
        tick(9);
        presence.joined("t", ALICE);
        tick(20);
        assertThat(reports).allMatch(report -> report.leaving().isEmpty());

        presence.left("t", ALICE);
        tick(9);
        assertThat(read()).contains("alice");
        tick(1);
        assertThat(read()).isEqualTo("{\"count\":0,\"anonymous\":0,\"members\":[],\"truncated\":false}");
        taken();
        tick(100);
        assertThat(reports).isEmpty();
    }

    @Test
    void watchersGetTheStateAndThenTheChanges() {
        presence.joined("t", ALICE);
        tick(1);
        presence.joined("t", Caller.ANONYMOUS);
        presence.watched("t");
        tick(3);
        presence.joined("t", BOB);
        tick(3);
        presence.left("t", Caller.ANONYMOUS);
        presence.left("t", BOB);
        presence.joined("t", new Caller("\"carol\""));
        tick(1);
        presence.watched("t");
        tick(10);
        assertThat(told).containsExactly(
                "t {\"presence\":{\"count\":2,\"anonymous\":1,\"members\":[\"alice\"],\"truncated\":false,"
                        + "\"joined\":[],\"left\":[]}}",
                "t {\"presence\":{\"count\":3,\"anonymous\":1,\"members\":[\"alice\",\"bob\"],"
                        + "\"truncated\":false,\"joined\":[\"bob\"],\"left\":[]}}",
                "t {\"presence\":{\"count\":3,\"anonymous\":0,\"members\":[\"alice\",\"bob\"],"
                        + "\"truncated\":true,\"joined\":[],\"left\":[]}}",
                "t {\"presence\":{\"count\":3,\"anonymous\":0,\"members\":[\"alice\",\"bob\"],"
                        + "\"truncated\":true,\"joined\":[],\"left\":[]}}",
                "t {\"presence\":{\"count\":2,\"anonymous\":0,\"members\":[\"alice\",\"\\\"carol\\\"\"],"
                        + "\"truncated\":false,\"joined\":[\"\\\"carol\\\"\"],\"left\":[\"bob\"]}}");

        told.clear();
        presence.unwatched("t");
        presence.unwatched("t");
        presence.joined("t", BOB);
        tick(5);
        assertThat(told).isEmpty();
    }

    @Test
    void failedReportsAreRepeated() {
        down = true;
        presence.joined("t", ALICE);
        tick(3);
        assertThat(reports).hasSize(3);
        assertThat(presence.read("t")).isCompletedExceptionally();
        down = false;
        tick(1);
        assertThat(read()).contains("\"count\":1");
    }

    @Test
    void reportsContinueAfterExceptionsOfTheRoster() {
        presence.joined("t", ALICE);
        tick(1);
        thrown = new StackOverflowError("thrown by a test");
        presence.joined("s", ALICE);
        presence.joined("t", BOB);
        tick(300); // with renewals; more reports than may be under way
        thrown = null;
        tick(1);

        assertThat(read()).contains("\"count\":2");
    }

    @Test
    void aStateThatCouldNotBeToldIsToldLater() {
        presence.joined("t", ALICE);
        presence.watched("t");
        thrown = new StackOverflowError("thrown by a test");
        tick(1);
        thrown = null;
        tick(1);

        assertThat(told).singleElement().asString().contains("alice");
    }

    @Test
    void aRosterThatHasLostMembersGetsThemAgain() {
        presence.joined("t", ALICE);
        presence.joined("t", BOB);
        here = 1;
        tick(1);
        here = -1;
        taken();
        tick(1);
        assertThat(taken()).singleElement().extracting(Report::joining).isEqualTo(Set.of("alice", "bob"));
    }

    @Test
    void aRosterThatHasMembersThatLeftForgetsTheGatewayAndGetsTheOthers() {
        presence.joined("t", ALICE);
        here = 2;
        tick(1);
        here = -1;
        tick(1);
        List<Report> all = taken();
        assertThat(all).hasSize(3);
        assertThat(all.get(1).gateway()).isEqualTo(all.get(0).gateway());
        assertThat(all.get(1).expiryMillis()).isEqualTo(1);
        assertThat(all.get(2).gateway()).isNotEqualTo(all.get(0).gateway());
        assertThat(all.get(2).joining()).containsExactly("alice");
    }

    /** Renews for many topics at once, in parts that it counts; as to these it is a roster like others. */
    private final class Parts implements Roster {
        final List<Integer> sizes = new ArrayList<>();

        @Override
        public CompletableFuture<Answer> report(String topic, Report report) {
            return PresenceTest.this.report(topic, report);
        }

        @Override
        public CompletableFuture<Map<String, Answer>> renew(Map<String, Report> reports) {
            sizes.add(reports.size());
            return Roster.super.renew(reports);
        }
    }

    @Test
    void manyTopicsAreRenewedInPartsAndNotAllInOneInterval() {
        var parts = new Parts();
        var many = new Presence(CONFIG, parts, this::tell, ImmediateEventExecutor.INSTANCE, this::now);
        IntStream.range(0, 2000).forEach(i -> many.joined("t" + i, ALICE));
        for (seconds = 1; seconds <= 10; seconds++) {
            many.tick();
        }
        assertThat(parts.sizes).isEmpty();
        taken();

        for (int tick = 1; tick <= 5; tick++, seconds++) {
            many.tick();
            assertThat(parts.sizes).hasSize(4 * tick).containsOnly(100);
        }
        assertThat(taken()).hasSize(2000).allMatch(report -> report.joining().isEmpty());
        many.tick();
        assertThat(reports).isEmpty();

        many.close();
        assertThat(parts.sizes).hasSize(40).containsOnly(100);
        assertThat(reports).hasSize(2000).allMatch(report -> report.expiryMillis() == 10_000);
    }

    @Test
    void aRosterThatHasLostMembersWithoutANameGetsThemAgain() {
        presence.joined("t", Caller.ANONYMOUS);
        tick(1);
        lost = true;
        tick(10);
        lost = false;
        taken();
        tick(1);
        assertThat(taken()).singleElement().extracting(Report::anonymous).isEqualTo(1);
        tick(9);
        assertThat(taken()).isEmpty();
    }

    @Test
    void requestsOfAnIntervalShareAnAnswer() {
        read();
        read();
        assertThat(taken()).hasSize(1);
        tick(1);
        read();
        assertThat(taken()).hasSize(1);
    }
}
