/**
 * Programs that strangers send, run as child processes: one interpreter, in one sandbox, for one program.
 * Whatever happens, none leaves a process, a thread, a file or a descriptor behind.
 */
package io.sluice.offload.process;
