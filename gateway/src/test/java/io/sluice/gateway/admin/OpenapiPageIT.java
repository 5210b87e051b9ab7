package io.sluice.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RunningGateway;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class OpenapiPageIT {
    /** The part of the page that shows an operation. */
    private static final String BOX = "document.querySelector('details[data-words^=\"%s \"]')";

    @Test
    void showsOperationsFindsThemAndSendsRequestsInABrowser() throws Exception {
        Optional<Path> chromium = Browser.installed();
        Assumptions.assumeTrue(chromium.isPresent(), "skipped: no Chromium is installed");
        try (var gateway = RunningGateway.start("include classpath(\"openapi.conf\")");
                var page = new Browser(chromium.get(), "http://127.0.0.1:" + gateway.port() + "/docs/")) {
            await().until(() -> page.evaluate("document.querySelectorAll('details').length > 20"),
                    "true"::equals);
            assertThat(page.evaluate("document.title")).isEqualTo("Sluice");

            String change = BOX.formatted("patch /customers/{id}");
            page.evaluate(change + ".open = true");
            await().until(() -> page.evaluate(change + ".querySelectorAll('table').length"), "2"::equals);
            assertThat(page.evaluate(change + ".textContent"))
                    .contains("Body: application/json", "maxBodyBytes", "422");
            page.evaluate("(() => { const box = " + change + "; box.querySelector('td input').value = '7';"
                    + " box.querySelector('textarea').value = '{\"name\":\"it\\'s\"}';"
                    + " box.querySelector('button').click(); })()");
            await().untilAsserted(() -> assertThat(page.evaluate(change + ".textContent")).contains(
                    "curl -i -X PATCH", "/customers/7'", "200 OK", "\"updated\": 1"));

            page.evaluate("(() => { const find = document.getElementById('find'); find.value = '/cpu';"
                    + " find.dispatchEvent(new Event('input')); })()");
            assertThat(page.evaluate("document.querySelectorAll('details:not([hidden])').length"))
                    .isEqualTo("1");
        }
    }
}
