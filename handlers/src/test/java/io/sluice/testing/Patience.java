package io.sluice.testing;

import java.time.Duration;
import java.util.Arrays;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionEvaluationListener;
import org.awaitility.core.EvaluatedCondition;
import org.awaitility.core.TimeoutEvent;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Sets the time that tests wait for a condition, long enough for a busy machine, and the intervals at which
 * they check it: short ones first, since most conditions hold soon. Prints where a check hangs that has not
 * ended by then. JUnit finds this extension as it finds {@link LeakCheck}.
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
        Awaitility.setDefaultConditionEvaluationListener(new StackPrinter());
    }

    private static final class StackPrinter implements ConditionEvaluationListener<Object> {
        @Override
        public void conditionEvaluated(EvaluatedCondition<Object> condition) {
            // it has not hung
        }

        private static boolean isInTest(StackTraceElement[] stack) {
            return Arrays.stream(stack).anyMatch(each -> each.getClassName().startsWith("io.sluice."));
        }

        @Override
        public void onTimeout(TimeoutEvent event) {
            Thread.getAllStackTraces().forEach((thread, stack) -> {
                if (thread.getName().startsWith("awaitility") && isInTest(stack)) {
                    System.out.println("a check hangs: " + thread.getName());
                    for (StackTraceElement element : stack) {
                        System.out.println("\tat " + element);
                    }
                }
            });
        }
    }
}
