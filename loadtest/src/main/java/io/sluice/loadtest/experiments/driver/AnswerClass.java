package io.sluice.loadtest.experiments.driver;

/** The classes of responses. */
public enum AnswerClass {
    /** 200 with a body. */
    OK,
    /** 503: rejected. */
    REFUSED,
    /** 504: its deadline passed. */
    LATE,
    /** Anything else, and a 200 without a body. */
    OTHER;

    static AnswerClass of(int status, long bodyBytes) {
        return switch (status) {
            case 200 -> bodyBytes > 0 ? OK : OTHER;
            case 503 -> REFUSED;
            case 504 -> LATE;
            default -> OTHER;
        };
    }
}
