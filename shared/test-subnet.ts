/** How many values the second part of an address has here. */
const SECOND = 250;

/**
 * Three parts of loopback addresses that only this process uses, for tests that listen on fixed ports: several of them
 * run at the same time.
 */
export const TEST_SUBNET = `127.${1 + (process.pid % SECOND)}.${Math.floor(process.pid / SECOND) % 256}`;
