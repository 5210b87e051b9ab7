package io.sluice.handlers.write;

import io.sluice.config.write.StepConfig;
import java.util.Map;

/**
 * A statement that runs before a query's, in the same transaction.
 *
 * @param jdbc the SQL with a {@code ?} for each parameter
 * @param each the number of the value that is a list of elements; -1 for none
 * @param members the number of values of an element
 * @param handedOn the columns that later statements use, with the numbers of their values
 * @param isConditional whether it has a parameter from If-Match
 */
public record Step(StepConfig config, String jdbc, StatementBinding binding, int each, int members,
                   Map<String, Integer> handedOn, boolean isConditional) {
}
