package io.sluice.config.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.HoconFile;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RightsTest {
    private static final String TOKEN = "sluice.tokens.alice.sha256 = "
            + "\"2bd806c97f0e00af1a1fc3328fa763a9269723c8db8fac4f93af71db186d6e90\"\n";

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource(textBlock = """
            news,     news,       true
            news,     newsx,      false
            news,     news.a,     false
            news.*,   news.a,     true
            news.*,   news.,      false
            news.*,   news,       false
            news.*,   news.a.b,   false
            *.a,      news.a,     true
            *.a,      .a,         false
            news.**,  news,       true
            news.**,  news.,      true
            news.**,  news.a.b,   true
            news.**,  newsx,      false
            *.a.**,   x.a.b.c,    true
            **,       any.thing,  true
            """)
    void aPatternMatchesTopics(String pattern, String topic, boolean matches) {
        assertThat(TopicPattern.parse(pattern).matches(topic)).isEqualTo(matches);
    }

    @Test
    void theMostSpecificPatternIsFirst() {
        assertThat(Stream.of("**", "a.*", "*.b", "a.b.**", "a.*.c", "a.b", "a.**", "a.b.*")
                .map(TopicPattern::parse).sorted(TopicPattern.MOST_SPECIFIC_FIRST).map(Object::toString))
                .containsExactly("a.b", "a.b.*", "a.b.**", "a.*", "a.*.c", "a.**", "*.b", "**");
    }

    @Test
    void rightsAreReadByPattern() {
        TopicsConfig topics = new HoconFile(directory).load(TOKEN + """
                sluice.topics.news.rights {
                  "news.*" { publish = [alice] }
                  "**" { publish = [] }
                }
                """).topics().get("news");
        assertThat(topics.rights()).containsOnlyKeys("news.*", "**");
        assertThat(topics.rights().get("news.*"))
                .isEqualTo(new RightsConfig(Optional.empty(), Optional.of(Set.of("alice"))));
        assertThat(topics.rights().get("**").publish()).contains(Set.of());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            { "news*" {} }  | `main.conf:2: sluice.topics.news.rights."news*": news* (expected: a topic`
            { "**.news" {} }                  | **.news (expected: a topic, in which *
            { "a..b" {} }                     | a..b (expected: a topic
            { "a" { publish = [alcie] } }     | alcie (expected: one of alice; did you mean alice?)
            { "a" { read = [alice] } }        | unknown key (expected: one of publish, subscribe)
            """)
    void mistakesAreTold(String rights, String problem) {
        assertThat(new HoconFile(directory).problems(TOKEN + "sluice.topics.news.rights " + rights))
                .anyMatch(line -> line.contains(problem));
    }
}
