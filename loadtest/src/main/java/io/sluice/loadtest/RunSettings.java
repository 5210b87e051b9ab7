package io.sluice.loadtest;

import static io.gatling.javaapi.http.HttpDsl.http;

import io.gatling.javaapi.http.HttpProtocolBuilder;
import java.net.URI;
import java.util.Optional;

/**
 * What a simulation is told: the server, the profile and what to show at the door.
 *
 * <p>Gatling makes a simulation with its constructor without arguments, so these travel as system
 * properties, written and read here only.
 *
 * @param token sent with every request, {@code Authorization: Bearer TOKEN}, where there is one
 */
record RunSettings(URI url, Profile profile, Optional<String> token) {

    private static final String URL = "sluice.loadtest.url";
    private static final String PROFILE = "sluice.loadtest.profile";
    private static final String TOKEN = "sluice.loadtest.token";

    void handOver() {
        System.setProperty(URL, url.toString());
        System.setProperty(PROFILE, profile.name());
        token.ifPresentOrElse(value -> System.setProperty(TOKEN, value), () -> System.clearProperty(TOKEN));
    }

    /** The settings of the run that is being started. */
    static RunSettings handedOver() {
        return new RunSettings(
                URI.create(System.getProperty(URL)), Profile.valueOf(System.getProperty(PROFILE)),
                Optional.ofNullable(System.getProperty(TOKEN)));
    }

    /** The absolute URL of a path that starts with a slash. */
    String at(String path) {
        return url.resolve(path).toString();
    }

    /** The absolute WebSocket URL, {@code ws:} or {@code wss:}, of a path that starts with a slash. */
    String webSocketAt(String path) {
        return at(path).replaceFirst("(?i)^https:", "wss:").replaceFirst("(?i)^http:", "ws:");
    }

    /** What all simulations have in common: no request that they did not ask for, and the token. */
    HttpProtocolBuilder protocol() {
        var plain = http.disableWarmUp();
        return token.map(value -> plain.authorizationHeader("Bearer " + value)).orElse(plain);
    }
}
