package io.sluice.handlers.files;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The validators of a resource's state (RFC 9110 section 8.8).
 *
 * @param opaque the entity tag without the prefix {@code W/}; empty if there is none
 * @param weak whether there may still be other content under the same tag
 * @param lastModified in whole seconds, as in HTTP; null if unknown
 */
public record Validators(String opaque, boolean weak, @Nullable Instant lastModified) {
    /** Far above the resolution of file systems' clocks. */
    private static final Duration SETTLED = Duration.ofSeconds(1);
    /** Builds that give all files one time set it to the first of Unix, or of zip files in any time zone. */
    private static final Instant FIRST = Instant.parse("1980-01-02T00:00:00Z");
    private static final Validators NONE = new Validators("", true, null);

    /**
     * Returns the validators of a file. The tag consists of its size and modification time, so that all
     * gateways with a copy agree. Two changes within one step of the file system's clock may leave both
     * unchanged; so a tag is weak until the last change is longer ago than any such step. A time that a build
     * has set says nothing about changes.
     */
    static Validators of(long size, Instant changed, Instant now) {
        if (changed.isBefore(FIRST)) {
            return NONE;
        }
        long nanos = changed.getEpochSecond() * 1_000_000_000 + changed.getNano();
        return new Validators('"' + Long.toHexString(size) + '-' + Long.toHexString(nanos) + '"',
                changed.plus(SETTLED).isAfter(now), changed.truncatedTo(ChronoUnit.SECONDS));
    }

    /**
     * Returns Last-Modified of a response. It must not be later than Date, whose clock is coarse (RFC 9110
     * section 8.8.2.1), so it is a second ago at least.
     *
     * @param changed see {@link #lastModified}
     */
    static Instant shown(Instant changed, Instant now) {
        Instant latest = now.minus(SETTLED).truncatedTo(ChronoUnit.SECONDS);
        return changed.isAfter(latest) ? latest : changed;
    }

    /** Returns a strong entity tag, in quotes, as the only validator. */
    public static Validators strong(String opaque) {
        return new Validators(opaque, false, null);
    }

    /** Returns whether there is a later change; false if unknown. */
    boolean isModifiedSince(Instant time) {
        return lastModified != null && lastModified.isAfter(time);
    }

    /** Returns the value of ETag, which must exist. */
    public String tag() {
        return weak ? "W/" + opaque : opaque;
    }
}
