package io.sluice.loadtest.simulations;

import java.util.List;
import java.util.stream.Collectors;

/** Signals a mistake of the user, with a message of one line that names the value and what was expected. */
public final class UsageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public UsageException(String what, String value, String expected) {
        this("%s: %s (expected: %s)".formatted(what, value, expected));
    }

    private UsageException(String message) {
        super(message);
    }

    /** Combines several mistakes, one per line. */
    public static UsageException all(List<UsageException> mistakes) {
        return new UsageException(
                mistakes.stream().map(UsageException::getMessage).collect(Collectors.joining("\n")));
    }

    /** The same mistake, with the name of the file that contains it. */
    public UsageException in(String file) {
        return new UsageException(file + ": " + getMessage());
    }
}
