package io.sluice.loadtest.experiments.faults;

/**
 * What became of a request.
 *
 * @param detail what came instead of the right answer; empty where it was right
 */
public record Verdict(Outcome outcome, String detail) {

    static final Verdict RIGHT = new Verdict(Outcome.RIGHT, "");

    private static final int LONGEST_DETAIL = 160;

    /** Outcomes, each request has one. */
    public enum Outcome {
        /** The right status and body, byte by byte. */
        RIGHT,
        /** A clean no: 429, 503, 504, a WebSocket's 1013, or no connection to send it on. */
        REFUSED,
        /** Any other status, or another body. */
        WRONG,
        /** No answer, although it was sent, and repeated where its connection broke. */
        LOST
    }

    /** Keeps the beginning of the detail. */
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

    /** Of a status that is not 200. */
    static Verdict of(int status, String detail) {
        return switch (status) {
            case 429, 503, 504 -> refused(detail);
            default -> wrong(detail);
        };
    }
}
