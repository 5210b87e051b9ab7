/** How Sluice writes its log: text for people, JSON lines for programs, never waited for. */
package io.sluice.gateway.logging;
