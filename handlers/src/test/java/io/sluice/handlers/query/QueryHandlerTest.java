package io.sluice.handlers.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.sluice.config.DatabaseConfig;
import io.sluice.config.ParameterConfig;
import io.sluice.config.session.SessionConfig;
import io.sluice.config.type.ByteSize;
import io.sluice.config.type.DatabaseUrl;
import io.sluice.config.type.ParameterType;
import io.sluice.config.type.PathTemplate;
import io.sluice.config.type.ScalarType;
import io.sluice.config.type.Secret;
import io.sluice.config.type.ZoneName;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ExchangeWrapper;
import io.sluice.handlers.FakeExchange;
import io.sluice.handlers.json.JsonMembers;
import io.sluice.offload.jdbc.Database;
import io.sluice.offload.spill.SpillSpace;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The owner of a request's body, and mistakes in it, whatever becomes of the request. */
class QueryHandlerTest {
    private static final PathTemplate PATH = PathTemplate.parse("/");
    private static final Duration LONG = Duration.ofMinutes(1);

    private final Database unreachable = new Database("none", new DatabaseConfig(
            new DatabaseUrl("jdbc:h2:mem:"), "", new Secret(""), "work", Optional.empty(),
            new ByteSize(1 << 20), new ZoneName("UTC"), LONG, LONG, Optional.empty(), Map.of(),
            SessionConfig.NONE, true), new InlineOffload());
    private final QueryHandler handler = handler(ScalarType.TEXT, false);
    private final QueryHandler ofArrays = handler(ScalarType.DECIMAL, true);

    /** Creates a handler with one parameter, a member of the body. */
    private QueryHandler handler(ScalarType type, boolean isArray) {
        return new QueryHandler(QueryConfigs.of("SELECT :v", Map.of("v", new ParameterConfig(
                new ParameterType(type, isArray), Optional.of(ParameterConfig.Source.BODY),
                Optional.empty(), Optional.empty(), Optional.empty(), true)), Map.of()),
                PATH, 1 << 20, unreachable, SpillSpace.NONE);
    }

    /** Passes a body on as the server does, which releases it behind the action. */
    private static Exchange withBody(FakeExchange exchange, ByteBuf body) {
        return new ExchangeWrapper(exchange) {
            @Override
            public void readBody(Consumer<ByteBuf> action) {
                try {
                    action.accept(body);
                } finally {
                    body.release();
                }
            }
        };
    }

    @Test
    void aLargeBodyIsReleasedIfTheRequestIsRefused() {
        for (String accept : new String[] {"application/xml", "application/json"}) {
            ByteBuf body = Unpooled.buffer().writeZero(JsonMembers.MAX_ON_LOOP + 1);
            var exchange = new FakeExchange(HttpMethod.POST, "/", body.readableBytes());
            exchange.headers().set(HttpHeaderNames.ACCEPT, accept);

            exchange.handledBy(fake -> handler.handle(withBody(exchange, body))).settle();

            assertThat(exchange.answer().status()).isEqualTo(accept.endsWith("xml") ? 406 : 500);
            assertThat(body.refCnt()).as(accept).isZero();
        }
    }

    /** A refused query would be a 500. */
    @Test
    void mistakesInLargeValuesAreFoundBeforeTheQueryWaits() {
        for (String last : new String[] {"1", "true"}) {
            String json = "{\"v\":[" + "1,".repeat(500) + last + "]}";
            ByteBuf body = ByteBufUtil.writeAscii(UnpooledByteBufAllocator.DEFAULT, json);
            var exchange = new FakeExchange(HttpMethod.POST, "/", body.readableBytes());

            exchange.handledBy(fake -> ofArrays.handle(withBody(exchange, body))).settle();

            assertThat(exchange.answer().status()).isEqualTo(last.equals("1") ? 500 : 400);
            assertThat(body.refCnt()).as(last).isZero();
        }
    }
}
