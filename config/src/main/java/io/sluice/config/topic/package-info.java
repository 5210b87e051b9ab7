/** The configuration of topics. */
package io.sluice.config.topic;
