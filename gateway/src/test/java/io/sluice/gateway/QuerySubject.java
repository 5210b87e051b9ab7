package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import tools.jackson.databind.json.JsonMapper;

/** The gateway that a query contract is about, and how its tests ask it. */
interface QuerySubject {
    JsonMapper JSON = new JsonMapper();

    RunningGateway gateway();

    default HttpResponse<String> send(String method, String target, String body) throws Exception {
        return gateway().send(gateway().request(target).method(method,
                body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body)));
    }

    /** The body of an answer that must be 200. */
    static String ok(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.headers().firstValue("content-type")).hasValue("application/json");
        return answer.body();
    }

    /** The detail of an answer that must be a problem with that status. */
    static String problem(HttpResponse<String> answer, int status) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.headers().firstValue("content-type")).hasValue("application/problem+json");
        return JSON.readTree(answer.body()).path("detail").asString();
    }

    /** Statements that the database runs just now, besides the one that asks. */
    default int running() {
        try {
            return JSON.readTree(gateway().get("/running").body()).path("statements").asInt();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
