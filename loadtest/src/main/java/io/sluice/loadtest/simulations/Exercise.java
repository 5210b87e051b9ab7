package io.sluice.loadtest.simulations;

/**
 * The program that the users of field report R5 run: rock, paper, scissors in Python, with its input on
 * stdin.
 */
final class Exercise {

    /** The output of the program. */
    static final String OUTPUT = """
            first wins
            second wins
            draw
            first 1, second 1
            """;

    private static final String INPUT = """
            rock scissors
            rock paper
            paper paper
            """;

    private static final String CODE = """
            import sys

            BEATS = {"rock": "scissors", "scissors": "paper", "paper": "rock"}
            won = {"first": 0, "second": 0}

            for line in sys.stdin:
                first, second = line.split()
                if first == second:
                    print("draw")
                else:
                    winner = "first" if BEATS[first] == second else "second"
                    won[winner] += 1
                    print(winner, "wins")

            print(f"first {won['first']}, second {won['second']}")
            """;

    /** The message that runs the program. */
    static final String MESSAGE = "{\"input\": %s, \"code\": %s}".formatted(quoted(INPUT), quoted(CODE));

    private Exercise() {}

    /**
     * Encodes a text as a JSON string. Of the characters that need an escape, these texts contain only quotes
     * and line ends.
     */
    private static String quoted(String text) {
        return '"' + text.replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }
}
