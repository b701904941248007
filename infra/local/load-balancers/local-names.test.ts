import { expect, it } from 'vitest';
import type { WireRequest } from '../engines/wire/call.ts';
import { withLocalNames } from './local-names.ts';

it('assigns a loopback address to each name of a load balancer, the same one in every answer', async () => {
  const answers = ['<DNSName>one.elb.amazonaws.com</DNSName><DNSName>two.elb.amazonaws.com</DNSName>', '<Name/>'];
  const relay = withLocalNames(async ({ requestId }) => ({
    status: 200,
    headers: {},
    body: answers[+requestId] ?? '',
  }));
  const ask = async (requestId: string) => (await relay({ requestId } as WireRequest)).body;

  const first = String(await ask('0'));
  const [one, two] = [...first.matchAll(/<DNSName>(127\.[\d.]+)<\/DNSName>/g)].map(([, address]) => address);
  expect(one).toBeDefined();
  expect(two).not.toBe(one);
  expect(await ask('0')).toBe(first);
  expect(await ask('1')).toBe('<Name/>');
});
