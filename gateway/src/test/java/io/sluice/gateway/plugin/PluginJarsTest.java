package io.sluice.gateway.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.config.HandlerConfig;
import io.sluice.config.problem.ConfigException;
import io.sluice.config.read.ConfigLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PluginJarsTest {
    private static final String HANDLERS = "META-INF/services/io.sluice.handlers.HandlerProvider";

    @TempDir
    private Path folder;
    private Path jars;

    @BeforeEach
    void makeTheDirectory() throws IOException {
        jars = Files.createDirectory(folder.resolve("plugins"));
    }

    private void jar(String name, String path, String content) throws IOException {
        Path root = folder.resolve(name + ".d");
        Files.createDirectories(root.resolve(path).getParent());
        Files.writeString(root.resolve(path), content);
        PluginJar.of(root, jars.resolve(name));
    }

    @Test
    void tellsAllMistakesInJarsAtOnce() throws IOException {
        PluginJar.ofSample(jars.resolve("a.jar"));
        Files.copy(jars.resolve("a.jar"), jars.resolve("b.jar"));
        jar("c.jar", HANDLERS, "com.example.Gone");
        jar("d.jar", "notes.txt", "");
        jar("e.jar", "com/example/Own.java", """
                package com.example;
                public final class Own implements io.sluice.handlers.HandlerProvider<Own.Cpu> {
                    public record Cpu() implements io.sluice.config.HandlerConfig.Plugin { }
                    public Class<Cpu> config() { return Cpu.class; }
                    public io.sluice.handlers.RouteHandler create(Cpu config,
                            io.sluice.handlers.PluginContext context) { return exchange -> { }; }
                }
                """);
        jar("e.jar", HANDLERS, "com.example.Own");
        jar("f.jar", HANDLERS, "io.sluice.gateway.Main");
        Files.writeString(jars.resolve("g.jar"), "half of a jar");

        var refused = catchThrowableOfType(PluginException.class, () -> PluginJars.in(jars));

        assertThat(refused.getMessage().replace(jars + "/", "")).isEqualTo("""
                com.example.DnsLookupProvider in b.jar: the name dns-lookup of its com.example.DnsLookup is \
                that of com.example.DnsLookupProvider in a.jar (expected: one of these two jars)
                com.example.ServedByProvider in b.jar: the name served-by of its com.example.ServedBy is \
                that of com.example.ServedByProvider in a.jar (expected: one of these two jars)
                c.jar: io.sluice.handlers.HandlerProvider: Provider com.example.Gone not found \
                (expected: a plug-in for this version of Sluice, with its libraries)
                d.jar: no plug-in in it (expected: META-INF/services/io.sluice.handlers.HandlerProvider, \
                FilterProvider or java.sql.Driver; a library belongs where the Class-Path of its plug-in's \
                manifest names it)
                com.example.Own in e.jar: the name cpu of its com.example.Own$Cpu is Sluice's own (expected: \
                a record with another name)
                f.jar: io.sluice.handlers.HandlerProvider: io.sluice.gateway.Main not a subtype \
                (expected: a plug-in for this version of Sluice, with its libraries)
                g.jar: java.util.zip.ZipException: zip END header not found \
                (expected: a whole jar that may be read)""");
        Path none = folder.resolve("none");
        assertThatExceptionOfType(PluginException.class).isThrownBy(() -> PluginJars.in(none)).withMessage(
                "SLUICE_PLUGINS: " + none + ": cannot be read (expected: a directory with jars of plug-ins)");
    }

    @Test
    void looksNowhereForJarsWithoutADirectory() throws Exception {
        assertThat(PluginJars.named(null)).isSameAs(PluginJars.NONE);
        assertThat(PluginJars.named("")).isSameAs(PluginJars.NONE);
    }

    @Test
    void aDriverOfAJarIsOneOfTheDriverManager() throws Exception {
        jar("driver.jar", "com/example/NoDatabase.java", """
                package com.example;
                import java.sql.*;
                import java.util.Properties;
                public final class NoDatabase implements Driver {
                    public Connection connect(String url, Properties info) throws SQLException {
                        if (acceptsURL(url)) throw new SQLException("nothing at " + url);
                        return null;
                    }
                    public boolean acceptsURL(String url) { return url.startsWith("jdbc:plugin-jars-test:"); }
                    public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
                        return new DriverPropertyInfo[] {new DriverPropertyInfo("known", null)};
                    }
                    public int getMajorVersion() { return 1; }
                    public int getMinorVersion() { return 0; }
                    public boolean jdbcCompliant() { return false; }
                    public java.util.logging.Logger getParentLogger() { return null; }
                }
                """);
        jar("driver.jar", "META-INF/services/java.sql.Driver", "com.example.NoDatabase");

        PluginJars.in(jars);

        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> DriverManager.getConnection("jdbc:plugin-jars-test:a"))
                .withMessage("nothing at jdbc:plugin-jars-test:a");
        assertThat(DriverManager.getDriver("jdbc:plugin-jars-test:a").getPropertyInfo("", new Properties()))
                .singleElement().extracting(property -> property.name).isEqualTo("known");
    }

    @Test
    void invalidPluginKeysAreReported() throws Exception {
        PluginJar.ofSample(jars.resolve("sample.jar"));
        Path file = Files.writeString(folder.resolve("my.conf"), """
                sluice.served-by-defaults.site = eu-1
                sluice.routes.dns {
                  path = "/dns/{host}"
                  handler = dns-lookup
                  pool = dns
                  max-addresses = 0
                  served-bye {}
                }
                """);
        var loader = new ConfigLoader(Map.of(), PluginJars.in(jars).records());

        assertThat(catchThrowableOfType(ConfigException.class, () -> loader.load(file)).getMessage().lines())
                .satisfiesExactly(
                        pool -> assertThat(pool).startsWith(file + ":5: sluice.routes.dns.pool: dns ("),
                        most -> assertThat(most).isEqualTo(
                                file + ":6: sluice.routes.dns.max-addresses: 0 (expected: 1..100)"),
                        misspelt -> assertThat(misspelt).startsWith(
                                file + ":7: sluice.routes.dns.served-bye: unknown key (expected: one of ")
                                .endsWith("did you mean served-by?)"));
    }

    @Test
    void namesTheProviderThatFails() throws Exception {
        PluginJar.ofSample(jars.resolve("sample.jar"));
        PluginJars plugins = PluginJars.in(jars);
        Path file = Files.writeString(folder.resolve("my.conf"), """
                sluice.offload.pools.dns { workers = 1 }
                sluice.routes.dns { path = "/dns/{host}", handler = dns-lookup, pool = dns }
                """);
        var config = (HandlerConfig.Plugin) new ConfigLoader(Map.of(), plugins.records()).load(file).config()
                .routes().get("dns").handler();

        assertThatExceptionOfType(PluginException.class).isThrownBy(() -> plugins.handler(config, name -> {
            throw new IllegalStateException("no " + name);
        })).withMessage("com.example.DnsLookupProvider in %s: java.lang.IllegalStateException: no dns",
                jars.resolve("sample.jar"));
    }
}
