package io.sluice.handlers.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sluice.handlers.HttpException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TargetQueryTest {

    /** Both ways to read a query agree. */
    @ParameterizedTest
    @ValueSource(strings = {"/", "/?", "/?&", "/?a", "/?a=", "/?a=1", "/?a=1&b=2&a=3", "/?=a=1", "/?==&a=1&",
        "/?a=1=2", "/?%61=1", "/?a+b=1&a%20b=2", "/?a=x+y%26z", "/?&&a=1&&", "/?aa=1&a=2", "/?a;b=1;2",
        "/?\u00e4=1&%C3%A4=2", "/?b&a", "/?a?=1", "/?="})
    void valuesAreThoseOfAllParameters(String target) {
        var all = TargetQuery.parameters(target);
        for (String name : List.of("a", "b", "aa", "a b", "", "\u00e4", "a;b", "a?", "none")) {
            assertThat(TargetQuery.values(target, name)).as(name)
                    .isEqualTo(all.getOrDefault(name, List.of()));
        }
    }

    @Test
    void parametersAreLimited() {
        assertThat(TargetQuery.values("/?" + "a=1&".repeat(1024), "a")).hasSize(1024);
        assertThatExceptionOfType(HttpException.class)
                .isThrownBy(() -> TargetQuery.values("/?" + "b&".repeat(1025), "a"))
                .withMessageContaining("at most 1024 parameters");
    }

    @Test
    void malformedEncodingIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> TargetQuery.values("/?a=%6", "a"));
    }
}
