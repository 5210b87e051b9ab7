package io.sluice.config.problem;

import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import io.sluice.config.TransportKind;
import io.sluice.config.type.Confidential;
import io.sluice.config.type.DatabaseUrl;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Texts of values, as in HOCON or short enough for a message. */
public final class ValueText {
    private static final Set<ConfigValueType> SCALARS =
            EnumSet.of(ConfigValueType.STRING, ConfigValueType.NUMBER);
    /** The beginning of an address with credentials, whose password may have any characters. */
    private static final Pattern CREDENTIALS = Pattern.compile("(?s)(//).*@|^([^/\\s]+:(?!//))\\S*@");

    private ValueText() {
    }

    /** Returns a duration such as {@code 250ms}, {@code 5s}, {@code 2m} or {@code 1h}. */
    public static String duration(Duration duration) {
        long millis = duration.toMillis();
        return !duration.equals(Duration.ofMillis(millis)) ? duration.toNanos() + "ns"
                : millis % 1000 != 0 ? millis + "ms"
                : millis % 60_000 != 0 || millis == 0 ? millis / 1000 + "s"
                : millis % 3_600_000 != 0 ? millis / 60_000 + "m"
                : millis / 3_600_000 + "h";
    }

    /** Returns a constant in kebab-case, except transports, with an underscore. */
    public static String word(Object constant) {
        return constant instanceof TransportKind ? constant.toString()
                : constant.toString().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns a value as it is written: a number that HOCON takes for 1.1 may be the text 1.10. */
    public static String written(ConfigValue value) {
        return value.valueType() == ConfigValueType.NUMBER ? value.atKey("v").getString("v")
                : String.valueOf(value.unwrapped());
    }

    /** Returns a value in one line, masked and truncated; empty texts are visible. */
    public static String shown(ConfigValue value) {
        String text = SCALARS.contains(value.valueType()) ? written(value)
                : value.render(ConfigRenderOptions.concise());
        return text.isBlank() ? "\"\"" : shown(text, 80);
    }

    /** Returns a text in one line, masked and truncated to a number of characters. */
    public static String shown(String text, int longest) {
        String line = masked(text).strip().lines().collect(Collectors.joining(" "));
        return line.length() > longest ? line.substring(0, longest - 1) + "…" : line;
    }

    /** Returns a text in which user and password of an address are masked, wherever they are. */
    public static String masked(String text) {
        return DatabaseUrl.maskParameters(CREDENTIALS.matcher(text).replaceFirst(match ->
                Matcher.quoteReplacement((match.group(1) == null ? match.group(2) : match.group(1))
                        + Confidential.MASK + '@')));
    }
}
