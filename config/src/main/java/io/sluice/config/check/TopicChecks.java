package io.sluice.config.check;

import io.sluice.config.topic.TopicPattern;
import io.sluice.config.topic.TopicsConfig;

/** Checks sets of topics, apart from their sources. */
final class TopicChecks {

    private TopicChecks() {
    }

    static void check(TopicsConfig topics, Setting at) {
        if (topics.rights() != null) {
            topics.rights().keySet().forEach(pattern -> checkPattern(pattern, at.at("rights").at(pattern)));
        }
    }

    private static void checkPattern(String pattern, Setting at) {
        try {
            TopicPattern.parse(pattern);
        } catch (IllegalArgumentException e) {
            at.wrong(pattern, String.valueOf(e.getMessage()));
        }
    }
}
