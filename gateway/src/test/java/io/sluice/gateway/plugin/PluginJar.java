package io.sluice.gateway.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** Builds plug-in jars from folders with sources and resources. */
public final class PluginJar {

    private PluginJar() {
    }

    /**
     * Builds a jar of {@code src/test/resources/sample-plugin}: a handler and a filter, with their defaults.
     */
    public static Path ofSample(Path jar) throws IOException {
        return ofResources("sample-plugin", jar);
    }

    /** Builds a jar of a folder in {@code src/test/resources}. */
    public static Path ofResources(String folder, Path jar) throws IOException {
        try {
            return of(Path.of(PluginJar.class.getResource('/' + folder).toURI()), jar);
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }

    /** Compiles the sources of a folder, if any, and packs the classes with its other files. */
    static Path of(Path folder, Path jar) throws IOException {
        Path classes = Files.createTempDirectory("plugin");
        List<Path> sources = files(folder).filter(PluginJar::isSource).toList();
        if (!sources.isEmpty()) {
            compile(sources, classes);
        }
        try (OutputStream file = Files.newOutputStream(jar); var out = new JarOutputStream(file)) {
            pack(classes, files(classes), out);
            pack(folder, files(folder).filter(path -> !isSource(path)), out);
        }
        return jar;
    }

    private static boolean isSource(Path path) {
        return path.toString().endsWith(".java");
    }

    private static Stream<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).toList().stream();
        }
    }

    private static void compile(List<Path> sources, Path classes) {
        var compiler = ToolProvider.getSystemJavaCompiler();
        var files = compiler.getStandardFileManager(null, null, null);
        var said = new StringWriter();
        boolean done = compiler.getTask(said, files, null, List.of("-proc:none", "-d", classes.toString()),
                null, files.getJavaFileObjectsFromPaths(sources)).call();
        assertThat(done).as(said.toString()).isTrue();
    }

    private static void pack(Path root, Stream<Path> files, JarOutputStream out) throws IOException {
        for (Path file : files.toList()) {
            out.putNextEntry(new JarEntry(root.relativize(file).toString()));
            Files.copy(file, out);
            out.closeEntry();
        }
    }
}
