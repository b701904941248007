import { expect, it } from 'vitest';
import type { Machine } from '../../kinds/index.ts';
import { configuredAnnotations, withConfiguredAnnotations } from './configured-annotations.ts';

const machine = (annotations?: Record<string, string>): Machine =>
  ({ metadata: { name: 'm', ...(annotations ? { annotations } : {}) } }) as Machine;

it('a Machine records the configured annotations of its node, and keeps other annotations', () => {
  const given = { 'example.com/rack': 'r1', note: '' };
  const changed = withConfiguredAnnotations(machine({ other: 'o' }), given);
  expect(configuredAnnotations(changed)).toEqual(given);
  expect(changed.metadata.annotations).toMatchObject({ other: 'o' });
  expect(withConfiguredAnnotations(changed, {})).toEqual(machine({ other: 'o' }));
});

it.each([undefined, {}])('a Machine without configured annotations stays unchanged: %j', (given) => {
  const unchanged = machine({ other: 'o' });
  expect(withConfiguredAnnotations(unchanged, given)).toBe(unchanged);
});

const TOO_LONG = JSON.stringify({ a: 'b'.repeat(32_768) });

it.each(['{', '[]', '{"a":1}', '{"not a key":"b"}', TOO_LONG])(
  'a record that no API server would accept is ignored: %.20s',
  (text) => {
    expect(configuredAnnotations(machine({ 'windlass.dev/node-annotations': text }))).toEqual({});
  },
);
