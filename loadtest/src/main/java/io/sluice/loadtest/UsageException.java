package io.sluice.loadtest;

/** A mistake in the command line; the message is one line that names the value and what was expected. */
final class UsageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UsageException(String what, String value, String expected) {
        super("%s: %s (expected: %s)".formatted(what, value, expected));
    }
}
