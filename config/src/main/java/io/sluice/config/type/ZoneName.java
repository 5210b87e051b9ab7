package io.sluice.config.type;

import java.time.ZoneId;

/**
 * A time zone by a name that Java and databases share. An offset is none: PostgreSQL gives it the other sign.
 *
 * @param id such as {@code Europe/Berlin}
 */
public record ZoneName(String id) {
    public static final String EXPECTED = "a time zone, such as UTC or Europe/Berlin";

    /**
     * Reads a name.
     *
     * @throws IllegalArgumentException with what was expected instead
     */
    public static ZoneName parse(String text) {
        if (!ZoneId.getAvailableZoneIds().contains(text)) {
            throw new IllegalArgumentException(EXPECTED);
        }
        return new ZoneName(text);
    }

    @Override
    public String toString() {
        return id;
    }
}
