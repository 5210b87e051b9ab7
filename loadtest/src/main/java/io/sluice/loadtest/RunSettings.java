package io.sluice.loadtest;

import java.net.URI;

/**
 * What a simulation is told: the server and the profile.
 *
 * <p>Gatling makes a simulation with its constructor without arguments, so these two travel as system
 * properties, written and read here only.
 */
record RunSettings(URI url, Profile profile) {

    private static final String URL = "sluice.loadtest.url";
    private static final String PROFILE = "sluice.loadtest.profile";

    void handOver() {
        System.setProperty(URL, url.toString());
        System.setProperty(PROFILE, profile.name());
    }

    /** The settings of the run that is being started. */
    static RunSettings handedOver() {
        return new RunSettings(
                URI.create(System.getProperty(URL)), Profile.valueOf(System.getProperty(PROFILE)));
    }

    /** The absolute URL of a path that starts with a slash. */
    String at(String path) {
        return url.resolve(path).toString();
    }
}
