/** Attributes of load balancers, with ELBv2's names. */

export const CROSS_ZONE = 'load_balancing.cross_zone.enabled';

/** Only for classic load balancers; in seconds. */
export const IDLE_TIMEOUT = 'idle_timeout.timeout_seconds';
