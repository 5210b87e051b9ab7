package io.sluice.handlers.write;

import io.sluice.config.ParameterConfig.Source;
import io.sluice.config.write.StepConfig;
import java.util.Map;
import java.util.Set;

/**
 * A statement that runs before a query's, in the same transaction.
 *
 * @param jdbc the SQL with a {@code ?} for each parameter
 * @param reads whether it changes no data, but by functions that it calls
 * @param each the number of the value that is a list of elements; -1 for none
 * @param members the number of values of an element
 * @param handedOn the columns that later statements use, with the numbers of their values
 * @param preconditions those that it has parameters from
 */
public record Step(StepConfig config, String jdbc, StatementBinding binding, boolean reads, int each,
                   int members, Map<String, Integer> handedOn, Set<Source> preconditions) {
}
