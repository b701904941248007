import { describe, expect, it } from 'vitest';
import { targetGroupNames } from '../../../../shared/providers/aws/load-balancer/names.ts';
import { PATTERN, renamed, renamer } from './rename.ts';

const UID = '0f3b2c1d-1111-4222-8333-123456789abc';
const COPY = '000001a2-1111-4222-8333-123456789abc';
const rename = renamer(UID, { index: 0x1a2, namespace: 'team-7', name: 'c-418' });

describe("a copy of a cluster's objects", () => {
  it('has different ids and names, and is otherwise equal', () => {
    const text = `${PATTERN.namespace}/${PATTERN.cluster}-md-0 i-0123456789abcdef0 10.0.0.1 t3.large`;
    expect(rename(text)).toBe('team-7/c-418-md-0 i-01234001a2bcdef0 10.0.0.1 t3.large'.replace('1a2b', '1a2ab'));
    expect(rename(UID)).toBe(COPY);
    expect(rename(targetGroupNames(UID, 6443, true)[1] ?? '')).toBe(targetGroupNames(COPY, 6443, true)[1]);
  });

  it('includes nested maps and lists, and leaves the original unchanged', () => {
    const tags = (name: string) => new Map([[`kubernetes.io/cluster/${name}`, 'owned']]);
    const original = { tags: tags(PATTERN.cluster), ids: ['vpc-0123456789abcdef0'] };
    expect(renamed(original, rename)).toEqual({ tags: tags('c-418'), ids: [rename('vpc-0123456789abcdef0')] });
    expect(original.tags).toEqual(tags(PATTERN.cluster));
  });
});
