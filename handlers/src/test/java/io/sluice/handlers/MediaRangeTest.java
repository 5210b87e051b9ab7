package io.sluice.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MediaRangeTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "none", textBlock = """
            none                                                | none
            text/event-stream                                   | text/event-stream
            Text/Event-Stream; q=0.3                            | text/event-stream
            text/event-stream;q=0                               | none
            text/event-stream;q=0.000, */*                      | none
            */*;q=0.1, text/event-stream ; q=0                  | none
            */*                                                 | */*
            */*;q=0                                             | none
            text/*, text/event-stream;q=0                       | none
            text/*;q=0, text/event-stream                       | text/event-stream
            application/json, text/event-stream                 | text/event-stream
            application/json, text/event-stream;q=0.9           | none
            application/json, */*                               | none
            application/json;q=0.9, */*                         | */*
            text/html, */*;q=0.8                                | */*
            text/event-stream-not                               | none
            application/json;profile="text/event-stream"        | none
            """)
    void aTypeIsPreferredByItsMostSpecificRange(String accept, String expected) {
        HttpHeaders request = new DefaultHttpHeaders();
        if (accept != null) {
            for (String element : accept.split(", *")) { // a line each
                request.add(HttpHeaderNames.ACCEPT, element);
            }
        }
        MediaRange range = MediaRange.preferring("text/event-stream", request, "application/json");
        assertThat(range == null ? null : range.type()).isEqualTo(expected);
    }

    /** Thousands could be chosen so that they collide in a set. */
    @Test
    void anElementOfManyParametersIsLeftOut() {
        String parameters = IntStream.range(0, 16).mapToObj(i -> ";p" + i).collect(Collectors.joining());

        assertThat(MediaRange.parse("a/b" + parameters + ", c/d" + parameters + ";one-more"))
                .extracting(MediaRange::type).containsExactly("a/b");
    }

    @Test
    void theFirst64ElementsAreRead() {
        assertThat(MediaRange.parse("a/b,".repeat(10_000))).hasSize(64);
    }
}
