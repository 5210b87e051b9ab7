package io.sluice.config.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sluice.config.type.PathTemplate.Capture;
import io.sluice.config.type.PathTemplate.Literal;
import io.sluice.config.type.PathTemplate.Rest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathTemplateTest {

    @ParameterizedTest
    @CsvSource({
        "/,                        /",
        "/orders,                  /orders",
        "/orders/{id},             /orders/{}",
        "/orders/{order_id}/{Nr1}, /orders/{}/{}",
        "/{größe},                 /{}",
        "/a.b/...;x=1/~c@:$&,      /a.b/...;x=1/~c@:$&",
        "/straße/日本/😀,           /straße/日本/😀",
        "/**,                      /**",
        "/files/{id}/**,           /files/{}/**"
    })
    void readsBackAsWrittenAndItsShapeHasNoNames(String text, String shape) {
        PathTemplate template = PathTemplate.parse(text);

        assertThat(template).hasToString(text);
        assertThat(template.shape()).isEqualTo(shape);
    }

    @Test
    void consistsOfLiteralsCapturesAndARest() {
        assertThat(PathTemplate.parse("/orders/{id}/**").segments())
                .containsExactly(new Literal("orders"), new Capture("id"), new Rest());
        assertThat(PathTemplate.parse("/").segments()).isEmpty();
    }

    @Test
    void knowsItsCapturesByTheirExactNames() {
        PathTemplate template = PathTemplate.parse("/orders/{id}");

        assertThat(template.captures("id")).isTrue();
        assertThat(template.captures("Id")).isFalse();
        assertThat(template.captures("orders")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ``              | a path that begins with /, such as /orders/{id}
            orders          | a path that begins with /, such as /orders/{id}
            ` /orders`      | a path that begins with /, such as /orders/{id}
            http://x/y      | a path that begins with /, such as /orders/{id}
            //              | no empty, . or .. segment and no / at the end
            /orders/        | no empty, . or .. segment and no / at the end
            /a//b           | no empty, . or .. segment and no / at the end
            /a/../b         | no empty, . or .. segment and no / at the end
            /./b            | no empty, . or .. segment and no / at the end
            /**/b           | ** only as the last segment
            /**/**          | ** only as the last segment
            /{id}/{id}      | each {name} once
            /{}             | letters, digits and _ between { and }
            /{a-b}          | letters, digits and _ between { and }
            /{a b}          | letters, digits and _ between { and }
            /{$a}           | letters, digits and _ between { and }
            /{a}{b}         | letters, digits and _ between { and }
            /{a}.json       | segments that are literal text, a whole {name}, or ** at the end
            /a*             | segments that are literal text, a whole {name}, or ** at the end
            /*              | segments that are literal text, a whole {name}, or ** at the end
            /{              | segments that are literal text, a whole {name}, or ** at the end
            /a?b=c          | segments that are literal text, a whole {name}, or ** at the end
            /a#b            | segments that are literal text, a whole {name}, or ** at the end
            /a%20b          | segments that are literal text, a whole {name}, or ** at the end
            /a b            | segments that are literal text, a whole {name}, or ** at the end
            /a\\b           | segments that are literal text, a whole {name}, or ** at the end
            `/a\tb`         | segments that are literal text, a whole {name}, or ** at the end
            """)
    void invalidTemplatesAreReportedWithTheExpectation(String text, String expected) {
        assertThatIllegalArgumentException().isThrownBy(() -> PathTemplate.parse(text)).withMessage(expected);
    }
}
