package io.sluice.loadtest.simulations;

/** What the users of field report R5 have run: rock, paper, scissors, in Python, on what stdin says. */
final class Exercise {

    /** What the program prints. */
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

    /** The text that has it run. */
    static final String MESSAGE = "{\"input\": %s, \"code\": %s}".formatted(quoted(INPUT), quoted(CODE));

    private Exercise() {}

    /** As a JSON string; of what must not stand in one, these texts have only quotes and line ends. */
    private static String quoted(String text) {
        return '"' + text.replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }
}
