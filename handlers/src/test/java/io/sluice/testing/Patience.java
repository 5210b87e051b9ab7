package io.sluice.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Sets the time that tests wait for a condition, long enough for a busy machine, and the intervals at which
 * they check it: short ones first, since most conditions hold soon. JUnit finds this extension as it finds
 * {@link LeakCheck}.
 */
public final class Patience implements BeforeAllCallback {
    /** The shortest and the longest interval in milliseconds. */
    private static final long FIRST = 10;
    private static final long LONGEST = 100;

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
        Awaitility.setDefaultPollDelay(Duration.ofMillis(FIRST));
        Awaitility.setDefaultPollInterval(
                (_, last) -> Duration.ofMillis(Math.clamp(2 * last.toMillis(), FIRST, LONGEST)));
    }
}
