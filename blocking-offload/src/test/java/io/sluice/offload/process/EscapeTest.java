package io.sluice.offload.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.ProgramConfig.Sandbox;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that try to leave the sandbox, to outlive it, or to exhaust the host. */
class EscapeTest {
    private static final Duration LONG = ProgramTestBed.PATIENCE;

    private ProgramTestBed bed;

    @BeforeAll
    static void needsBubblewrap() {
        ProgramTestBed.assumeBubblewrap();
    }

    @BeforeEach
    void start() {
        bed = new ProgramTestBed(ProgramTestBed.config(Sandbox.BUBBLEWRAP, LONG, LONG, 1));
    }

    @AfterEach
    void close() {
        bed.close();
    }

    private void restart(Duration wallTime, Duration cpuTime) {
        bed.close();
        bed = new ProgramTestBed(ProgramTestBed.config(Sandbox.BUBBLEWRAP, wallTime, cpuTime, 0));
    }

    @Test
    void programRunsAsNobodyWithoutCapabilities() throws Exception {
        assertThat(bed.run("""
                import os
                print(os.getuid(), os.getgid(), os.uname().nodename)
                print(*(l.split()[1] for l in open('/proc/self/status') if l.startswith(('CapE', 'CapB'))))
                """).stdout()).isEqualTo("65534 65534 sandbox\n" + "0".repeat(16) + " "
                + "0".repeat(16) + "\n");
    }

    @Test
    void thereIsNoNetwork() throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(bed.run("""
                    import socket
                    for address in [('127.0.0.1', %d), ('1.1.1.1', 53)]:
                        try: socket.create_connection(address, 1); print('CONNECTED')
                        except OSError as e: print('no')
                    try: print(socket.getaddrinfo('localhost.localdomain', 80))
                    except OSError: print('no')
                    """.formatted(server.getLocalPort())).stdout()).isEqualTo("no\nno\nno\n");
        }
    }

    @Test
    void filesOfTheHostAreNotThere(@TempDir Path folder) throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "secret");

        assertThat(bed.run("""
                import os
                for name in ['%s', '/etc/passwd', '/etc/shadow', '/etc/hostname', '/root', '/home', '/var',
                             '/sys', '/proc/1/root/etc/passwd', '/proc/self/root/etc/passwd']:
                    print(os.path.exists(name), end=' ')
                print(os.listdir('/tmp'))
                """.formatted(secret)).stdout()).isEqualTo("False ".repeat(10) + "[]\n");
    }

    @Test
    void theGatewaysEnvironmentAndProcessesAreNotThere() throws Exception {
        assertThat(bed.run("""
                import os
                print(*sorted(os.environ))
                print(*sorted(n for n in os.listdir('/proc') if n.isdigit()))
                print(*sorted(v.split('=')[0] for v in open('/proc/1/environ').read().split(chr(0)) if v))
                print(*sorted(os.listdir('/proc/self/fd'))) # 3 is this folder
                """).stdout()).isEqualTo("""
                HOME LANG MALLOC_ARENA_MAX PATH PWD
                1 2
                HOME LANG MALLOC_ARENA_MAX PATH PWD
                0 1 2 3
                """);
    }

    @Test
    void nothingButTmpCanBeWritten() throws Exception {
        assertThat(bed.run("""
                import os
                for folder in ['/', '/usr', '/usr/bin', '/etc', '/dev', '/dev/shm', '/proc',
                               '/proc/sys/kernel', '/bin', '/lib', '/tmp']:
                    try: open(folder + '/file', 'w'); print(folder)
                    except OSError: pass
                """).stdout()).isEqualTo("/tmp\n");
    }

    @Test
    void itCannotMountNorHaveNamespacesOfItsOwn() throws Exception {
        assertThat(bed.run("""
                import ctypes
                libc = ctypes.CDLL(None)
                print(libc.unshare(0x10000000), libc.setuid(0),
                      libc.mount(b'none', b'/tmp', b'tmpfs', 0, None))
                """).stdout()).isEqualTo("-1 -1 -1\n");
    }

    @Test
    void filesInTmpAreDeleted() throws Exception {
        bed.run("open('/tmp/left-by-a-program', 'w').write('x')");

        assertThat(bed.run("import os; print(os.listdir('/tmp'))").stdout()).isEqualTo("[]\n");
        assertThat(Path.of("/tmp/left-by-a-program")).doesNotExist();
    }

    @Test
    void noFileGrowsBeyondItsLimit() throws Exception {
        ProgramResult result = bed.run("""
                import os
                try: open('file', 'wb').write(bytes(2 << 20))
                except OSError as e: print(e.strerror, os.path.getsize('file'))
                """);

        assertThat(result.stdout()).isEqualTo("File too large 1048576\n");
    }

    @Test
    void tmpIsBounded() throws Exception {
        assertThat(bed.run("""
                try:
                    for i in range(100): open(str(i), 'wb').write(bytes(1 << 20))
                except OSError as e: print(i, e.strerror)
                """).stdout()).isEqualTo("4 No space left on device\n");
    }

    @Test
    void aForkBombIsBounded() throws Exception {
        ProgramResult result = ProgramTestBed.outlive(Sandbox.BUBBLEWRAP, """
                import os, time
                while True:
                    try: os.fork()
                    except OSError:
                        time.sleep(0.5) # until all are there
                        if os.getpid() == 2: print(sum(n.isdigit() for n in os.listdir('/proc')) - 1)
                        time.sleep(1000)
                """, "16\n");

        assertThat(result.timedOut()).isTrue();
        assertThat(result.stdout()).isEqualTo("16\n");
    }

    @Test
    void aForkBombThatDoesNotStopIsKilledWhole() throws Exception {
        restart(Duration.ofSeconds(3), LONG);

        assertThat(bed.run("""
                import os
                while True:
                    try: os.fork()
                    except OSError: pass
                """).timedOut()).isTrue();
        bed.eventuallyNoProcesses();
    }

    @Test
    void threadsCountAsProcesses() throws Exception {
        assertThat(bed.run("""
                import threading, time, os
                try:
                    for i in range(100):
                        threading.Thread(target=time.sleep, args=[1000], daemon=True).start()
                except RuntimeError: print(i)
                os._exit(0)
                """).stdout()).isEqualTo("15\n");
    }

    @Test
    void signalsReachNothingButItsOwn() throws Exception {
        assertThat(bed.run("""
                import os, signal
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                for pid, number in [(os.getppid(), signal.SIGKILL), (1, signal.SIGKILL),
                                    (-1, signal.SIGKILL), (0, signal.SIGTERM)]:
                    try: os.kill(pid, number)
                    except OSError as e: pass
                print('alive')
                """)).extracting(ProgramResult::stdout, ProgramResult::exitCode)
                .containsExactly("alive\n", 0);
        assertThat(bed.run("print('next')").stdout()).isEqualTo("next\n");
    }

    @Test
    void aDaemonThatOutlivesItsProgramIsKilled() throws Exception {
        ProgramResult result = bed.run("""
                import os, signal, time
                if not os.fork():
                    os.setpgid(0, 0)
                    if os.fork(): os._exit(0)
                    signal.signal(signal.SIGTERM, signal.SIG_IGN)
                    signal.signal(signal.SIGHUP, signal.SIG_IGN)
                    while True: time.sleep(1000)
                os.wait()
                print('done')
                """);

        assertThat(result).extracting(ProgramResult::stdout, ProgramResult::exitCode, ProgramResult::timedOut)
                .containsExactly("done\n", 0, false);
        assertThat(result.duration()).isLessThan(LONG);
    }

    @Test
    void programThatIgnoresSigxcpuIsKilled() throws Exception {
        restart(LONG, Duration.ofSeconds(1));

        assertThat(bed.run("""
                import signal
                signal.signal(signal.SIGXCPU, signal.SIG_IGN)
                while True: pass
                """)).extracting(ProgramResult::exitCode, ProgramResult::timedOut).containsExactly(137, true);
    }

    @Test
    void limitsCannotBeRaised() throws Exception {
        assertThat(bed.run("""
                import resource
                for what in [resource.RLIMIT_AS, resource.RLIMIT_NPROC, resource.RLIMIT_CPU,
                             resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE, resource.RLIMIT_CORE]:
                    try: resource.setrlimit(what, (-1, -1)); print(what)
                    except (ValueError, OSError): pass
                """).stdout()).isEmpty();
    }

    @Test
    void theFirstProcessHasNoMoreThanTheProgram() throws Exception {
        assertThat(bed.run("""
                import os
                print(open('/proc/1/limits').read() == open('/proc/self/limits').read())
                nice = os.getpriority(os.PRIO_PROCESS, 1)
                print(nice >= 10 and nice == os.getpriority(os.PRIO_PROCESS, 0))
                print(open('/proc/1/oom_score_adj').read(), end='')
                """).stdout()).isEqualTo("True\nTrue\n1000\n");
    }

    /** A session of its own has the processors for itself, where sessions share them. */
    @Test
    void oomScoreAndSchedulingGroupCannotBeChanged() throws Exception {
        assertThat(bed.run("""
                import os
                for name in ['self/oom_score_adj', 'self/autogroup', '1/oom_score_adj', '1/autogroup']:
                    try: open('/proc/' + name, 'w').write('0'); print(name)
                    except OSError: pass
                if not os.fork():
                    try: os.setsid(); print('session')
                    except OSError: pass
                    os._exit(0)
                os.wait()
                print(open('/proc/self/oom_score_adj').read(), end='')
                """).stdout()).isEqualTo("1000\n");
    }

    /** Pages of a detached segment, or of a file without a file system, count for no process. */
    @Test
    void sharedMemoryIsNoWayAroundTheLimitOfMemory() throws Exception {
        assertThat(bed.run("""
                import ctypes
                libc = ctypes.CDLL(None, use_errno=True)
                print(libc.shmget(0, 4096, 0o1600), ctypes.get_errno(), libc.msgget(0, 0o1600),
                      libc.semget(0, 1, 0o1600), libc.mq_open(b'/queue', 0o102, 0o600, None),
                      libc.memfd_create(b'name', 0), libc.syscall(447, 0)) # memfd_secret
                """).stdout()).isEqualTo("-1 1 -1 -1 -1 -1 -1\n");
    }

    /**
     * A shared session keyring would let programs read the gateway's keys, and leave keys for the next
     * program.
     */
    @Test
    void theGatewaysKeysAreNotThere() throws Exception {
        assertThat(bed.run("""
                import ctypes, os
                libc = ctypes.CDLL(None)
                keyctl, add_key = (250, 248) if os.uname().machine == 'x86_64' else (219, 217)
                print(libc.syscall(keyctl, 0, -3, 0), libc.syscall(add_key, b'user', b'name', b'key', 3, -3))
                """).stdout()).isEqualTo("-1 -1\n");
    }

    @Test
    void ctrlCIsForTheGateway() {
        bed.eventuallySessionsOfTheirOwn();
    }
}
