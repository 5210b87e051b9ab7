package io.sluice.loadtest.experiments.server;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.FastThreadLocal;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A plain Netty proxy, the baseline for a proxy's overhead: Netty's codecs, and one handler on each side that
 * writes to the other one what it reads. A client's connection and its connection to the origin share an
 * event loop. It has no timeouts, retries, limits or metrics, and adds no fields.
 */
public final class BareProxy {

    private static final int LOOPS = 2;

    /** The idle connections of an event loop, the last used one on top. */
    private static final FastThreadLocal<ArrayDeque<OriginSide>> IDLE = new FastThreadLocal<>() {
        @Override
        protected ArrayDeque<OriginSide> initialValue() {
            return new ArrayDeque<>();
        }
    };

    private BareProxy() {}

    /**
     * Serves a free port of 127.0.0.1, whose number it prints as the gateway does.
     *
     * @param args the origin's port; for TLS the files of a certificate and its key, too
     */
    public static void main(String[] args) throws InterruptedException, SSLException {
        var origin = new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0]));
        SslContext tls = args.length == 1 ? null : SslContextBuilder
                .forServer(Path.of(args[1]).toFile(), Path.of(args[2]).toFile()).build();
        BarePort.serve(0, LOOPS, pipeline -> {
            if (tls != null) {
                pipeline.addLast(tls.newHandler(pipeline.channel().alloc()));
            }
            pipeline.addLast(new HttpServerCodec(), new ClientSide(origin));
        });
    }

    /**
     * The command that runs the proxy, in a JVM with the gateway's options.
     *
     * @param tls for clients; without it, they speak plain HTTP
     */
    public static List<String> command(int originPort, Optional<TlsFiles> tls) {
        var command = JavaCommand.of("--enable-native-access=ALL-UNNAMED",
                "-cp", System.getProperty("java.class.path"), BareProxy.class.getName(),
                Integer.toString(originPort));
        tls.ifPresent(files -> command.addAll(
                List.of(files.certificate().toString(), files.privateKey().toString())));
        return command;
    }

    /** One side of an exchange, whose other side reads no faster than this one can write. */
    private abstract static class Side extends ChannelInboundHandlerAdapter {

        Channel channel;
        /** Null while there is no exchange. */
        @Nullable Side other;

        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            channel = context.channel();
        }

        void write(Object message) {
            channel.write(message, channel.voidPromise());
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            if (other != null && other.channel != null) {
                other.channel.flush();
            }
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            if (other != null && other.channel != null) {
                other.channel.config().setAutoRead(channel.isWritable());
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (other != null && other.channel != null) {
                other.channel.close();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    /** The connection of a client. */
    private static final class ClientSide extends Side {

        private final InetSocketAddress origin;
        /** The messages that were read while the connection to the origin is being opened. */
        private final ArrayDeque<Object> early = new ArrayDeque<>();

        ClientSide(InetSocketAddress origin) {
            this.origin = origin;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof HttpRequest request) {
                if (!request.headers().contains(HttpHeaderNames.UPGRADE)) {
                    request.headers().remove(HttpHeaderNames.CONNECTION);
                }
                take();
            }
            if (other == null) {
                early.add(message);
            } else {
                other.write(message);
            }
        }

        private void take() {
            var idle = IDLE.get().pollLast();
            if (idle == null) {
                open();
            } else {
                join(idle);
            }
        }

        private void join(OriginSide side) {
            other = side;
            side.other = this;
        }

        private void open() {
            channel.config().setAutoRead(false);
            var side = new OriginSide();
            new Bootstrap().group(channel.eventLoop()).channel(NioSocketChannel.class)
                    .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                    .option(ChannelOption.TCP_NODELAY, true)
                    .handler(new ChannelInitializer<SocketChannel>() {
                        @Override
                        protected void initChannel(SocketChannel connection) {
                            connection.pipeline().addLast(new HttpClientCodec(), side);
                        }
                    })
                    .connect(origin).addListener((ChannelFuture connecting) -> opened(connecting, side));
        }

        private void opened(ChannelFuture connecting, OriginSide side) {
            if (!connecting.isSuccess() || !channel.isActive()) {
                early.forEach(ReferenceCountUtil::release);
                connecting.channel().close();
                channel.close();
                return;
            }
            join(side);
            for (Object message; (message = early.poll()) != null;) {
                side.write(message);
            }
            side.channel.flush();
            channel.config().setAutoRead(true);
        }
    }

    /** A connection to the origin. */
    private static final class OriginSide extends Side {

        private boolean switched;
        private boolean informational;

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (other == null) {
                ReferenceCountUtil.release(message);
                context.close();
                return;
            }
            if (message instanceof HttpResponse response) {
                switched = response.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS);
                informational = response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
            }
            other.write(message);
            if (message instanceof LastHttpContent) {
                if (switched) {
                    tunnel(other);
                } else if (!informational) {
                    release(other);
                }
            }
        }

        /** Passes bytes from here on. */
        private void tunnel(Side client) {
            client.channel.flush();
            client.channel.pipeline().remove(HttpServerCodec.class);
            channel.pipeline().remove(HttpClientCodec.class);
        }

        private void release(Side client) {
            client.channel.flush();
            client.channel.config().setAutoRead(true);
            channel.config().setAutoRead(true);
            client.other = null;
            other = null;
            IDLE.get().addLast(this);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            IDLE.get().remove(this);
            super.channelInactive(context);
        }
    }
}
