package io.sluice.handlers.files;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * What tells one state of a file from another (RFC 9110 section 8.8).
 *
 * @param opaque the entity tag without what says whether it is weak
 * @param weak whether the file may still get another content under the same tag
 * @param lastModified in whole seconds, as HTTP has it
 */
record Validators(String opaque, boolean weak, Instant lastModified) {
    /** Far above the steps in which file systems' clocks advance. */
    private static final Duration SETTLED = Duration.ofSeconds(1);

    /**
     * Of a file. The tag is made of its size and the time of its last change, so that all gateways that have
     * a copy agree. Two changes within one step of the file system's clock leave both as they are: a tag
     * becomes strong when the last change is longer ago than any such step.
     */
    static Validators of(long size, Instant changed, Instant now) {
        long nanos = changed.getEpochSecond() * 1_000_000_000 + changed.getNano();
        return new Validators('"' + Long.toHexString(size) + '-' + Long.toHexString(nanos) + '"',
                changed.plus(SETTLED).isAfter(now), changed.truncatedTo(ChronoUnit.SECONDS));
    }

    /** The ETag header's value. */
    String tag() {
        return weak ? "W/" + opaque : opaque;
    }
}
