import { makeLoopbackAddresses } from '../engines/elbv2/loopback.ts';
import type { Forward } from '../engines/wire/server.ts';

const DNS_NAME = /<DNSName>([^<]+)<\/DNSName>/g;

/**
 * Wraps a forward so that the names of load balancers in its answers are addresses in 127.0.0.0/8, one for each name.
 * Another endpoint returns names that lead nowhere or to itself, and simulated machines can be reached only on this
 * computer.
 */
export const withLocalNames = (forward: Forward): Forward => {
  const addresses = makeLoopbackAddresses();
  const known = new Map<string, string>();
  const localNameOf = (name: string): string => {
    const address = known.get(name) ?? addresses.take(name);
    known.set(name, address);
    return address;
  };
  return async (request) => {
    const answer = await forward(request);
    const text = Buffer.from(answer.body).toString();
    if (!text.includes('<DNSName>')) return answer;
    const body = text.replace(DNS_NAME, (_, name: string) => `<DNSName>${localNameOf(name)}</DNSName>`);
    return { ...answer, body };
  };
};
