package io.sluice.loadtest.simulations;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The amount of load and its duration; each simulation documents its own values. */
public enum Profile {
    /**
     * The load pattern of the report in 30 s to 2 min, and all experiments in 3 min: for a quick check, or a
     * build.
     */
    SHORT,
    /** The load of the field report, user for user; for experiments whose results are published. */
    REPORT;

    public static Optional<Profile> named(String name) {
        return Stream.of(values()).filter(profile -> profile.toString().equals(name)).findFirst();
    }

    public static String names() {
        return String.join(" or ", Stream.of(values()).map(Profile::toString).toList());
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
