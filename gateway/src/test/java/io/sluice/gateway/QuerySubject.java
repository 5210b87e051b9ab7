package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import tools.jackson.databind.json.JsonMapper;

/** The gateway under test of a query contract, with helpers for requests. */
interface QuerySubject {
    JsonMapper JSON = new JsonMapper();

    RunningGateway gateway();

    default HttpResponse<String> send(String method, String target, String body) throws Exception {
        return gateway().send(gateway().request(target).method(method,
                body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body)));
    }

    /** Returns the body of an answer, which must have status 200. */
    static String ok(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.headers().firstValue("content-type")).hasValue("application/json");
        return answer.body();
    }

    /** Returns the detail of an answer, which must be a problem with the given status. */
    static String problem(HttpResponse<String> answer, int status) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.headers().firstValue("content-type")).hasValue("application/problem+json");
        return JSON.readTree(answer.body()).path("detail").asString();
    }

    /** Returns the number of other statements that the database runs now. */
    default int running() {
        try {
            return JSON.readTree(gateway().get("/running").body()).path("statements").asInt();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
