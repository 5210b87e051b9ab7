package io.sluice.loadtest.simulations;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** The format of durations on the command line and in files: {@code 250ms}, {@code 90s}, {@code 8h}. */
public final class TimeSpan {

    public static final String EXPECTED = "a whole number above 0 and ms, s, m or h";

    private static final Pattern WRITTEN = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");

    private TimeSpan() {}

    public static Optional<Duration> parse(String text) {
        var written = WRITTEN.matcher(text);
        if (!written.matches()) {
            return Optional.empty();
        }
        var number = Long.parseLong(written.group(1));
        var span = switch (written.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofHours(number);
        };
        return span.isZero() ? Optional.empty() : Optional.of(span);
    }

    /** A text that can be parsed, in the largest unit that leaves a whole number. */
    public static String written(Duration span) {
        return text(span).replace(",", "").replace(" min", "m").replace(" ", "");
    }

    /** A text for people, in the largest unit that leaves a whole number. */
    public static String text(Duration span) {
        if (span.toMillis() % 1_000 != 0) {
            return String.format(Locale.ROOT, "%,d ms", span.toMillis());
        }
        if (span.toSeconds() % 60 != 0 || span.isZero()) {
            return span.toSeconds() + " s";
        }
        return span.toMinutes() % 60 == 0 ? span.toHours() + " h" : span.toMinutes() + " min";
    }
}
