import { describe, expect, it } from 'vitest';
import { childName, freeNames } from './names.ts';

const owner = { name: 'workers', uid: '0b1c' };

describe('freeNames', () => {
  it('stops if a template gives the same name at every position', () => {
    const naming = { template: 'same', variables: {} };
    expect(freeNames(owner, new Set(), 3, naming)).toEqual(['same']);
  });

  it('skips invalid object names', () => {
    const naming = { template: '{{ if lt .random "m" }}{{ .random }}{{ else }}{{ .gone }}{{ end }}', variables: {} };
    const names = freeNames(owner, new Set(), 20, naming);
    expect(names).toHaveLength(20);
    expect(names.every((name) => name < 'm')).toBe(true);
    expect(freeNames(owner, new Set(), 3, { template: 'No_Name-{{ .random }}', variables: {} })).toEqual([]);
  });

  it('gives the same names for the same facts', () => {
    expect(freeNames(owner, new Set(), 3)).toEqual(freeNames(owner, new Set(), 3));
  });

  it('gives other names to another owner of the same name', () => {
    expect(freeNames({ ...owner, uid: 'other' }, new Set(), 1)).not.toEqual(freeNames(owner, new Set(), 1));
  });

  it('fills free positions', () => {
    const [first = '', second = '', third = ''] = freeNames(owner, new Set(), 3);
    expect(freeNames(owner, new Set([first, third]), 1)).toEqual([second]);
  });

  it('gives distinct names even for a thousand machines', () => {
    const names = freeNames(owner, new Set(), 1000);
    expect(new Set(names).size).toBe(1000);
  });
});

describe('childName', () => {
  it('stays a valid label value for the longest owner', () => {
    const name = childName('a'.repeat(63), 'seed');
    expect(name).toHaveLength(63);
    expect(name).toMatch(/^a+-[a-z0-9]{5}$/);
  });
});
