package io.sluice.config.check;

import io.sluice.config.topic.PresenceConfig;
import io.sluice.config.topic.TopicPattern;
import io.sluice.config.topic.TopicsConfig;
import org.jspecify.annotations.Nullable;

/** Checks sets of topics, apart from their sources. */
final class TopicChecks {

    private TopicChecks() {
    }

    static void check(TopicsConfig topics, Setting at) {
        if (topics.rights() != null) {
            topics.rights().keySet().forEach(pattern -> checkPattern(pattern, at.at("rights").at(pattern)));
        }
        topics.presence().ifPresent(presence -> checkExpiry(presence, at.at("presence")));
    }

    /** A gateway has to report in time. */
    private static void checkExpiry(PresenceConfig presence, Setting at) {
        if (presence.interval() == null || presence.expiry() == null || presence.interval()
                .multipliedBy(PresenceConfig.REPORTS).compareTo(presence.expiry()) <= 0) {
            return;
        }
        if (at.at("interval").isDefault()) {
            at.at("expiry").wrong("at least three times interval, " + at.at("interval").text());
        } else {
            at.at("interval").wrong("at most a third of expiry, " + at.at("expiry").text());
        }
    }

    /** A route of the kind {@code presence} needs topics with {@code presence}. */
    static void checkPresence(@Nullable TopicsConfig topics, Setting at) {
        if (topics != null && topics.presence().isEmpty()) {
            at.wrong("topics with presence, such as presence {}");
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
