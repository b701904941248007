/** The number of values that the second part of an address has here. */
const SECOND = 250;

/**
 * The first three parts of loopback addresses that only this process uses. Tests that listen on fixed ports run
 * concurrently.
 */
export const TEST_SUBNET = `127.${1 + (process.pid % SECOND)}.${Math.floor(process.pid / SECOND) % 256}`;
