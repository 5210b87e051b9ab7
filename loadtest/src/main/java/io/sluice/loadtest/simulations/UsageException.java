package io.sluice.loadtest.simulations;

import java.util.List;
import java.util.stream.Collectors;

/** A mistake of the user; the message is one line that names the value and what was expected. */
public final class UsageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public UsageException(String what, String value, String expected) {
        this("%s: %s (expected: %s)".formatted(what, value, expected));
    }

    private UsageException(String message) {
        super(message);
    }

    /** Several at once, one a line. */
    public static UsageException all(List<UsageException> mistakes) {
        return new UsageException(
                mistakes.stream().map(UsageException::getMessage).collect(Collectors.joining("\n")));
    }

    /** The same mistake, with the file that it is in. */
    public UsageException in(String file) {
        return new UsageException(file + ": " + getMessage());
    }
}
