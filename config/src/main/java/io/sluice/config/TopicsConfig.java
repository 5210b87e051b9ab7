package io.sluice.config;

import io.sluice.config.type.ByteSize;

/**
 * Topics that routes share: {@code sluice.topics.<name>}.
 *
 * @param lastMessages bytes kept of topics' last messages, for those who subscribe later; 0 keeps none
 */
public record TopicsConfig(@Range(max = Range.GIB) ByteSize lastMessages) {
}
