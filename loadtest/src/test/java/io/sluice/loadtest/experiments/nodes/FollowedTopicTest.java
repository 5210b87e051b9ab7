package io.sluice.loadtest.experiments.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FollowedTopicTest {

    private final TopicLedger ledger = new TopicLedger("t");
    private final FollowedTopic followed = new FollowedTopic(ledger, _ -> { });

    private void published(String... messages) {
        for (var message : messages) {
            ledger.sending(message);
            ledger.confirmed(message);
        }
    }

    @Test
    void everyMessageOnce() {
        published("a", "b");
        followed.take("e:0", null, false);
        followed.take("e:1", "a", false);
        followed.take("e:2", "b", false);
        assertThat(followed.isAt("e:2")).isTrue();
        assertThat(followed.tally("e:2")).isEqualTo(new MessageTally(2, 2, 0, 0, 0, 0, 0, 0));
    }

    @Test
    void aMessageAtAPositionThatWasSeenIsRepeatedAndOneAtAnotherDoubled() {
        published("a");
        followed.take("e:0", null, false);
        followed.take("e:1", "a", false);
        followed.take("e:1", "a", false);
        followed.take("e:2", "a", false);
        assertThat(followed.tally("e:2")).isEqualTo(new MessageTally(1, 1, 0, 0, 1, 1, 0, 0));
    }

    @Test
    void whatIsMissingIsLostWithoutANotice() {
        published("a", "b", "c");
        followed.take("e:0", null, false);
        followed.take("e:1", "a", false);
        followed.take("e:3", "c", false);
        assertThat(followed.tally("e:3")).isEqualTo(new MessageTally(3, 2, 0, 0, 0, 0, 1, 0));
    }

    @Test
    void aNoticeCoversWhatWasSentBeforeItAndNothingElse() {
        published("a");
        followed.take("e:0", null, false);
        followed.take("f:0", null, true);
        published("b");
        assertThat(followed.tally("f:1")).isEqualTo(new MessageTally(2, 0, 1, 1, 0, 0, 1, 0));
        followed.take("f:1", "b", false);
        assertThat(followed.tally("f:1")).isEqualTo(new MessageTally(2, 1, 1, 1, 0, 0, 0, 0));
    }

    @Test
    void anotherEpochWithoutANoticeAndAPositionBehindTheEndAreLosses() {
        followed.take("e:7", null, false);
        followed.take("f:1", "a", false);
        assertThat(followed.tally("f:1").lost()).isEqualTo(1);
        assertThat(followed.tally("f:3").lost()).isEqualTo(3);
    }
}
