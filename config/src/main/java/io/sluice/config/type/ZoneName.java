package io.sluice.config.type;

import java.time.ZoneId;

/**
 * The name of a time zone that Java and databases share. Offsets are not accepted: PostgreSQL inverts their
 * sign. Nor are the zones of System V, which Java alone has.
 *
 * @param id such as {@code Europe/Berlin}
 */
public record ZoneName(String id) {
    public static final String EXPECTED = "a time zone, such as UTC or Europe/Berlin";

    /**
     * Reads a name.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public static ZoneName parse(String text) {
        if (!ZoneId.getAvailableZoneIds().contains(text) || text.startsWith("SystemV/")) {
            throw new IllegalArgumentException(EXPECTED);
        }
        return new ZoneName(text);
    }

    @Override
    public String toString() {
        return id;
    }
}
