package io.sluice.loadtest.experiments.process;

import java.util.regex.Pattern;

/** Parses the bytes that each thread has allocated from the output of {@code jcmd Thread.print -e}. */
public final class AllocatedBytes {

    private static final Pattern THREAD = Pattern.compile("\\ballocated=(\\d+)([BKMG])\\b");

    private AllocatedBytes() {}

    /** The sum of all threads; the JVM prints three or more digits. */
    public static double in(String threads) {
        return THREAD.matcher(threads).results()
                .mapToDouble(thread -> Long.parseLong(thread.group(1)) * unit(thread.group(2).charAt(0)))
                .sum();
    }

    private static double unit(char letter) {
        return 1L << 10 * "BKMG".indexOf(letter);
    }
}
