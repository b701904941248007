import { describe, expect, it } from 'vitest';
import type { MachinePool } from '../../kinds/index.ts';
import { tokenTurn } from './tokens.ts';

const pool = { metadata: { name: 'p', uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z' } } as MachinePool;
const at = (time: string) => tokenTurn(pool, new Date(time));

describe('the bootstrap token of a pool', () => {
  it('stays the same for a week', () => {
    expect(at('2026-01-07T23:59:59Z')).toEqual(at('2026-01-01T00:00:00Z'));
    expect(at('2026-01-08T00:00:00Z').subject).not.toBe(at('2026-01-07T23:59:59Z').subject);
  });

  it('is valid for a week after its last day of use, so that an instance launched on that day can join', () => {
    const { endsAt, expiresAt } = at('2026-01-03T00:00:00Z');
    expect(endsAt.toISOString()).toBe('2026-01-08T00:00:00.000Z');
    expect(expiresAt.toISOString()).toBe('2026-01-15T00:00:00.000Z');
  });

  it('is different for each pool', () => {
    const other = { metadata: { ...pool.metadata, uid: 'v' } } as MachinePool;
    expect(tokenTurn(other, new Date('2026-01-01T00:00:00Z')).subject).not.toBe(at('2026-01-01T00:00:00Z').subject);
  });

  it('begins with the first week where clocks differ', () => {
    expect(at('2025-12-31T23:59:00Z')).toEqual(at('2026-01-01T00:00:00Z'));
  });
});
