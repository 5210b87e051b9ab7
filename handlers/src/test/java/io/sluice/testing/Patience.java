package io.sluice.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Has tests wait for a condition for as long as a busy machine may need. Found by JUnit itself, as
 * {@link LeakCheck} is.
 */
public final class Patience implements BeforeAllCallback {

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
    }
}
