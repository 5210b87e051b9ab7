package io.sluice.loadtest.simulations;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** How much load, for how long; what that means stands with each simulation. */
public enum Profile {
    /** The report's shape in half a minute to two, all experiments in three: for a look, or a build. */
    SHORT,
    /** What the field report did, user for user; experiments that are to be quoted. */
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
