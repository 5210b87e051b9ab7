package io.sluice.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RunningGateway;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class SocketsPageIT {
    /** The demo without a sandbox, which not every machine supports. */
    private static final String DEMO_WITH_CODE = """
            include classpath("demo-code.conf")
            sluice.routes.ws-code.program { sandbox = none, warm = 0 }
            """;

    @Test
    void servesItsFilesAndNothingElse() throws Exception {
        try (var gateway = RunningGateway.demo()) {
            assertThat(gateway.getAdmin("/ws/").headers().firstValue("content-security-policy"))
                    .hasValueSatisfying(policy -> assertThat(policy).contains("script-src 'self'"));
            assertThat(gateway.getAdmin("/ws/page.js").headers().firstValue("content-type"))
                    .hasValue("text/javascript; charset=utf-8");
            assertThat(gateway.getAdmin("/ws/sockets.json").body())
                    .contains("\"port\":" + gateway.port(), "/ws/echo", "/ws/topics/{topic}");
            assertThat(gateway.getAdmin("/ws").headers().firstValue("location")).hasValue("/ws/");
            assertThat(gateway.getAdmin("/ws/../demo.conf").statusCode()).isEqualTo(404);
            assertThat(gateway.getAdmin("/ws/page").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void connectsSendsSubscribesAsksAndRunsCodeFromABrowser() throws Exception {
        Optional<Path> chromium = Browser.installed();
        Assumptions.assumeTrue(chromium.isPresent(), "skipped: no Chromium is installed");
        try (var gateway = RunningGateway.start(DEMO_WITH_CODE);
                var page = new Browser(chromium.get(), "http://127.0.0.1:" + gateway.adminPort() + "/ws/")) {
            await().until(() -> page.evaluate("document.querySelectorAll('#route option').length > 2"),
                    "true"::equals);

            connect(page, "/ws/echo");
            say(page, "Hëllo");
            awaitLog(page, "got", "Hëllo");
            close(page);

            connect(page, "/ws/topics/{topic}");
            gateway.post("/topics/demo", "for all");
            awaitLog(page, "got", "for all");
            close(page);

            connect(page, "/ws/rpc");
            say(page, "{\"id\": 9, \"path\": \"/benchmark/hello\"}");
            awaitLog(page, "got", "{\"id\":9,\"status\":200,\"body\":\"Hello, World!\"}");
            close(page);

            connect(page, "/ws/code");
            page.evaluate("document.getElementById('send').click()");
            await().until(() -> page.evaluate("document.querySelector('#log .got')?.textContent"),
                    answer -> answer.contains("\"stdout\":\"Hello, world\\n\""));
            close(page);
        }
    }

    private static void connect(Browser page, String path) {
        page.evaluate("(() => { const route = document.getElementById('route');"
                + " route.value = [...route.options].find(o => o.dataset.path === '" + path + "').value;"
                + " route.onchange(); document.getElementById('connect').click(); })()");
        await().until(() -> page.evaluate("document.getElementById('state').value"), "connected"::equals);
    }

    private static void say(Browser page, String text) {
        page.evaluate("(() => { document.getElementById('text').value = '" + text + "';"
                + " document.getElementById('send').click(); })()");
    }

    private static void awaitLog(Browser page, String kind, String text) {
        await().untilAsserted(() -> assertThat(page.evaluate(
                "document.querySelector('#log ." + kind + "')?.textContent")).isEqualTo(text));
    }

    private static void close(Browser page) {
        page.evaluate("document.getElementById('close').click()");
        await().untilAsserted(() -> assertThat(page.evaluate(
                "document.querySelector('#log .note')?.textContent")).startsWith("closed: 1000"));
        page.evaluate("document.getElementById('log').replaceChildren()");
    }
}
