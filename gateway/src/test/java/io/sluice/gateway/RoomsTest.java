package io.sluice.gateway;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The arrows between packages: {@code http1, http2 -> exchange -> routing}, and from all of them to {@code
 * net}.
 */
class RoomsTest {
    private static final JavaClasses SLUICE = sluice();

    private static JavaClasses sluice() {
        // The names of other classes suffice. Importing those classes, too, would take ten times as long.
        ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
        return new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                // the tests of the module handlers
                .withImportOption(location -> !location.contains("-tests.jar"))
                .importPackages("io.sluice");
    }

    @Test
    void noPackagesNeedEachOther() {
        slices().matching("io.sluice.(**)").should().beFreeOfCycles().check(SLUICE);
    }

    @ParameterizedTest
    @CsvSource({"net, exchange", "net, routing", "net, http..", "net, http1..", "net, http2..",
            "net, websocket..", "exchange, http..", "exchange, http1..", "exchange, http2..",
            "exchange, websocket..", "exchange, rpc..", "filter, routing", "filter, exchange",
            "tunnel, exchange", "tunnel, http1..", "tunnel, http2..", "tunnel, websocket..",
            "routing, exchange", "routing, http1..", "routing, http2..", "http1, http2..",
            "http2.., http1.."})
    void noArrowRunsBack(String from, String to) {
        noClasses().that().resideInAPackage("io.sluice.gateway." + from)
                .should().dependOnClassesThat().resideInAPackage("io.sluice.gateway." + to).check(SLUICE);
    }

    @Test
    void theTransportKnowsNoHttp() {
        noClasses().that().resideInAPackage("io.sluice.gateway.net")
                .should().dependOnClassesThat().resideInAPackage("io.netty.handler.codec.http..")
                .check(SLUICE);
    }

    @Test
    void onlyTheBusOnRedisKnowsItsDriver() {
        noClasses().that().resideOutsideOfPackage("io.sluice.handlers.bus.redis")
                .should().dependOnClassesThat().resideInAnyPackage("io.lettuce..", "reactor..").check(SLUICE);
    }
}
