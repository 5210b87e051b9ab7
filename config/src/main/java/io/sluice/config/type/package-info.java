/** Types of configured values that Java does not have; each is parsed from text. */
package io.sluice.config.type;
