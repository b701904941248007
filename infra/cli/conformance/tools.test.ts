import { delimiter } from 'node:path';
import { describe, expect, it } from 'vitest';
import { provideTools } from './tools.ts';

const refuse = (): never => {
  throw new Error('install it');
};

describe('the tools of the conformance suites', () => {
  it('are found by the suites, and those that cannot be had are told of', () => {
    const provided = provideTools(() => {}, '/bin', [
      { name: 'hammer', provide: () => ({ directory: '/cache/hammer' }) },
      { name: 'saw', provide: refuse },
      { name: 'plane', provide: () => ({ variables: { PLANE: '/plane' } }) },
    ]);

    expect(provided).toEqual({
      variables: { PLANE: '/plane', PATH: `/cache/hammer${delimiter}/bin` },
      missing: ['not run, for want of saw: install it'],
    });
  });
});
