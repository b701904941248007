import { delimiter } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Lock } from './lock.ts';
import { provideTools } from './tools.ts';

/** Does not lock, because no other process uses the tools of this test. */
const unlocked: Lock = (_name, work) => work();

const refuse = (): never => {
  throw new Error('install it');
};

describe('the tools of the conformance suites', () => {
  it('are found by the suites, and unavailable ones are reported', () => {
    const tools = {
      hammer: { title: 'a hammer', provide: () => ({ directory: '/cache/hammer' }) },
      saw: { title: 'a saw', provide: refuse },
      plane: { title: 'a plane', provide: () => ({ variables: { PLANE: '/plane' } }) },
    };
    const provided = provideTools(() => {}, '/bin', tools, undefined, unlocked);

    expect(provided.variables).toEqual({ PLANE: '/plane', PATH: `/cache/hammer${delimiter}/bin` });
    expect(provided.missing).toEqual({ saw: 'not run, because a saw is missing: install it' });
  });

  it('are provided by one process at a time', () => {
    const order: string[] = [];
    provideTools(
      () => {},
      '/bin',
      { hammer: { title: 'a hammer', provide: () => ({ directory: String(order.push('provide')) }) } },
      undefined,
      (name, work) => {
        order.push(`lock ${name}`);
        const result = work();
        order.push('unlock');
        return result;
      },
    );

    expect(order).toEqual(['lock hammer', 'provide', 'unlock']);
  });

  it('are identified by their paths and by the versions that they report', () => {
    const identityOf = (directory: string | undefined, said: string) =>
      provideTools(
        () => {},
        '/bin',
        { hammer: { title: 'a hammer', provide: () => ({ directory }), version: () => ['hammer', '--version'] } },
        () => ({ status: 0, stdout: said, stderr: '' }),
        unlocked,
      ).identities.hammer;

    expect(identityOf(undefined, 'hammer 1')).toBe(identityOf(undefined, 'hammer 1'));
    const all = [
      identityOf(undefined, 'hammer 1'),
      identityOf(undefined, 'hammer 2'),
      identityOf('/cache', 'hammer 1'),
    ];
    expect(new Set(all).size).toBe(3);
  });
});
