/** Disk space for what has been produced faster than its client reads it. */
package io.sluice.offload.spill;
