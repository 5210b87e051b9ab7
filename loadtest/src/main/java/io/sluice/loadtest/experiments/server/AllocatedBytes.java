package io.sluice.loadtest.experiments.server;

import java.util.regex.Pattern;

/** What {@code jcmd Thread.print -e} says of the bytes that each thread has allocated. */
final class AllocatedBytes {

    private static final Pattern THREAD = Pattern.compile("\\ballocated=(\\d+)([BKMG])\\b");

    private AllocatedBytes() {}

    /** Of all threads together; the JVM leaves three digits or more. */
    static double in(String threads) {
        return THREAD.matcher(threads).results()
                .mapToDouble(thread -> Long.parseLong(thread.group(1)) * unit(thread.group(2).charAt(0)))
                .sum();
    }

    private static double unit(char letter) {
        return 1L << 10 * "BKMG".indexOf(letter);
    }
}
