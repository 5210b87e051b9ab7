/** Sections of {@code sluice.topics}. */
package io.sluice.config.topic;
