package io.sluice.handlers.rights;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.config.topic.RightsConfig;
import io.sluice.config.topic.TopicPattern;
import io.sluice.config.topic.TopicsConfig;
import io.sluice.handlers.HttpException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The rights to the topics of a set. The most specific pattern that matches a topic counts alone; a topic
 * that none matches is closed to all. Immutable.
 */
public final class TopicRights {
    private final Map<String, RightsConfig> config;
    /** The most specific first. */
    private final List<Rule> rules;

    private record Rule(TopicPattern pattern, RightsConfig rights) {
    }

    /** Creates the rights of a set. */
    public TopicRights(TopicsConfig topics) {
        config = topics.rights();
        rules = config.entrySet().stream()
                .map(entry -> new Rule(TopicPattern.parse(entry.getKey()), entry.getValue()))
                .sorted(Comparator.comparing(Rule::pattern, TopicPattern.MOST_SPECIFIC_FIRST)).toList();
    }

    /** Returns whether a caller has a right to a topic. */
    public boolean allow(Right right, String topic, Caller caller) {
        for (Rule rule : rules) {
            if (rule.pattern.matches(topic)) {
                Set<String> names = right.names(rule.rights).orElse(null);
                return names == null || caller.name() != null && names.contains(caller.name());
            }
        }
        return rules.isEmpty();
    }

    /**
     * Requires that a caller has a right to a topic.
     *
     * @throws HttpException 403 if not
     */
    public void require(Right right, String topic, Caller caller) {
        if (!allow(right, topic, caller)) {
            throw new HttpException(HttpResponseStatus.FORBIDDEN,
                    "topic: %s (expected: one to which %s may %s)".formatted(topic, caller, right));
        }
    }

    /** Returns whether these are the rights of a configuration. */
    public boolean areOf(TopicsConfig topics) {
        return config.equals(topics.rights());
    }
}
