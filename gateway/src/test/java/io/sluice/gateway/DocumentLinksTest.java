package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links between the documents of the repository: to files that exist, and headings that they have. */
class DocumentLinksTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern LINK = Pattern.compile("]\\((?!https?:)([^)#\\s]*)(?:#([^)\\s]*))?\\)");

    @Test
    void leadToFilesAndHeadings() throws IOException {
        var broken = new ArrayList<String>();
        for (Path document : documents()) {
            LINK.matcher(Files.readString(document)).results().forEach(link -> {
                Path target = link.group(1).isEmpty() ? document : document.resolveSibling(link.group(1));
                if (!Files.exists(target)
                        || link.group(2) != null && !anchors(target).contains(link.group(2))) {
                    broken.add(document + ": " + link.group());
                }
            });
        }
        assertThat(broken).isEmpty();
    }

    private static List<Path> documents() throws IOException {
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(docs.filter(file -> file.toString().endsWith(".md")),
                    Stream.of(ROOT.resolve("README.md"), ROOT.resolve("CHANGELOG.md"))).toList();
        }
    }

    /** Returns the anchors that GitHub gives to headings. */
    private static List<String> anchors(Path document) {
        try (Stream<String> lines = Files.lines(document)) {
            return lines.filter(line -> line.startsWith("#"))
                    .map(line -> line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT)
                            .replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
