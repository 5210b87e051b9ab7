package io.sluice.loadtest;

import io.sluice.loadtest.simulations.Profile;
import io.sluice.loadtest.simulations.TimeSpan;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converters for the values of command-line options. */
final class Arguments {

    private Arguments() {}

    private static TypeConversionException wrong(String value, String expected) {
        return new TypeConversionException("%s (expected: %s)".formatted(value, expected));
    }

    /** The name of a profile. */
    static final class ProfileName implements ITypeConverter<Profile> {

        @Override
        public Profile convert(String value) {
            return Profile.named(value).orElseThrow(() -> wrong(value, Profile.names()));
        }
    }

    /** The length of a run. */
    static final class Length implements ITypeConverter<Duration> {

        @Override
        public Duration convert(String value) {
            return TimeSpan.parse(value).orElseThrow(() -> wrong(value, TimeSpan.EXPECTED));
        }
    }

    /** A folder; it need not exist. */
    static final class Folder implements ITypeConverter<Path> {

        @Override
        public Path convert(String value) {
            try {
                var folder = Path.of(value);
                if (!value.isBlank() && (Files.isDirectory(folder) || Files.notExists(folder))) {
                    return folder.toAbsolutePath().normalize();
                }
            } catch (InvalidPathException _) {
                // told below
            }
            throw wrong(value, "a folder");
        }
    }

    /** A bearer token, RFC 6750, section 2.1. */
    static final class Token implements ITypeConverter<String> {

        @Override
        public String convert(String value) {
            if (!value.matches("[A-Za-z0-9._~+/-]+=*")) {
                throw wrong("malformed", "letters, digits and -._~+/=");
            }
            return value;
        }
    }

    /** A server's URL without a path: the simulations add their paths. */
    static final class ServerUrl implements ITypeConverter<URI> {

        @Override
        public URI convert(String value) {
            try {
                var url = new URI(value);
                if (url.getScheme() != null
                        && Set.of("http", "https").contains(url.getScheme().toLowerCase(Locale.ROOT))
                        && url.getHost() != null
                        && url.getPort() >= -1 && url.getPort() != 0 && url.getPort() <= 65_535
                        && Set.of("", "/").contains(url.getPath())
                        && url.getUserInfo() == null && url.getQuery() == null
                        && url.getFragment() == null) {
                    return new URI(url.getScheme(), url.getAuthority(), null, null, null);
                }
            } catch (URISyntaxException _) {
                // told below
            }
            throw wrong(value, "http://host:port or https://host:port");
        }
    }
}
