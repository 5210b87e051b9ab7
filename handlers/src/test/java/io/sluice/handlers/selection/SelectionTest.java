package io.sluice.handlers.selection;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.Ticker;
import io.sluice.config.selection.FilterOperator;
import io.sluice.config.selection.SortKey;
import io.sluice.config.type.NamedSql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Failures of a statement that the selection of a request has caused. */
class SelectionTest {
    /** A column may have got another type since the cursor was made. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        22P02 | invalid input syntax for type integer: "a b" | true
        22018 | Data conversion error converting "a b"       | true
        22P02 | invalid input syntax for type integer: "c"   | false
        22012 | division by "a b"                            | false
        """)
    void aCursorOfOtherColumnsIsNamed(String state, String message, boolean isNamed) {
        var page = new Page("/x", new CursorSeal(Optional.empty()), "purpose", 7, null,
                Arrays.asList("a b", null));
        var selection = new Selection(NamedSql.parse("SELECT 1"), List.of(), List.of(SortKey.parse("a"),
                SortKey.parse("b")), new ResultColumns("SELECT 1", Ticker.systemTicker()),
                new ArrayList<>(), page);

        var refusal = selection.refusal(new SQLException(message, state));

        if (isNamed) {
            assertThat(refusal).hasMessage("cursor: of other columns (expected: one of a Link of this route, "
                    + "with the same sort)");
            assertThat(refusal.status().code()).isEqualTo(400);
        } else {
            assertThat(refusal).isNull();
        }
    }

    /** Live results, among others, are shared by requests with the same values. */
    @Test
    void theValueOfOneConditionIsNotTakenForSeveralConditions() {
        var two = selection(new Condition("a", "a", FilterOperator.EQ, List.of("1")),
                new Condition("b", "b", FilterOperator.EQ, List.of("2")));
        var one = selection(new Condition("a", "a", FilterOperator.EQ,
                List.of("1]], Condition[name=b, column=b, operator=EQ, values=[2")));

        assertThat(one.values()).isNotEqualTo(two.values());
        assertThat(one.values().toString()).isNotEqualTo(two.values().toString());
    }

    private static Selection selection(Condition... conditions) {
        return new Selection(NamedSql.parse("SELECT 1"), List.of(conditions), List.of(),
                new ResultColumns("SELECT 1", Ticker.systemTicker()), new ArrayList<>(), null);
    }
}
