import { expect, it } from 'vitest';
import { KINDS } from '../index.ts';

it.each(KINDS.flatMap(({ kind, versions = [] }) => versions.map((version) => ({ kind, version, name: version.name }))))(
  '$kind $name builds its schema only once',
  ({ version }) => {
    expect(version.schema()).toBe(version.schema());
  },
);
