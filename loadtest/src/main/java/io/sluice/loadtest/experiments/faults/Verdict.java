package io.sluice.loadtest.experiments.faults;

/**
 * The outcome of a request.
 *
 * @param detail the unexpected response; empty if it was right
 */
public record Verdict(Outcome outcome, String detail) {

    static final Verdict RIGHT = new Verdict(Outcome.RIGHT, "");

    private static final int LONGEST_DETAIL = 160;

    /** The kinds of outcomes. */
    public enum Outcome {
        /** The right status and body, byte by byte. */
        RIGHT,
        /** A proper rejection: 429, 503, 504, a WebSocket's 1013, or no connection to send it on. */
        REFUSED,
        /** Any other status, or a wrong body. */
        WRONG,
        /** No response, although the request was sent, and repeated after its connection broke. */
        LOST
    }

    /** Truncates the detail. */
    public Verdict {
        detail = detail.length() <= LONGEST_DETAIL ? detail : detail.substring(0, LONGEST_DETAIL) + "...";
    }

    static Verdict refused(String detail) {
        return new Verdict(Outcome.REFUSED, detail);
    }

    static Verdict wrong(String detail) {
        return new Verdict(Outcome.WRONG, detail);
    }

    static Verdict lost(String detail) {
        return new Verdict(Outcome.LOST, detail);
    }

    /** The verdict on a status other than 200. */
    static Verdict of(int status, String detail) {
        return switch (status) {
            case 429, 503, 504 -> refused(detail);
            default -> wrong(detail);
        };
    }
}
