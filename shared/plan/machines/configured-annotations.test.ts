import { expect, it } from 'vitest';
import type { Machine } from '../../kinds/index.ts';
import { configuredAnnotations, withConfiguredAnnotations } from './configured-annotations.ts';

const machine = (annotations?: Record<string, string>): Machine =>
  ({ metadata: { name: 'm', ...(annotations ? { annotations } : {}) } }) as Machine;

it('keeps what a configuration gives a node on the Machine, besides others', () => {
  const given = { 'example.com/rack': 'r1', note: '' };
  const changed = withConfiguredAnnotations(machine({ other: 'o' }), given);
  expect(configuredAnnotations(changed)).toEqual(given);
  expect(changed.metadata.annotations).toMatchObject({ other: 'o' });
  expect(withConfiguredAnnotations(changed, {})).toEqual(machine({ other: 'o' }));
});

it.each([undefined, {}])('leaves a machine as it is to which nothing is given: %j', (given) => {
  const unchanged = machine({ other: 'o' });
  expect(withConfiguredAnnotations(unchanged, given)).toBe(unchanged);
});

const TOO_LONG = JSON.stringify({ a: 'b'.repeat(32_768) });

it.each(['{', '[]', '{"a":1}', '{"not a key":"b"}', TOO_LONG])('ignores what no API server takes: %.20s', (text) => {
  expect(configuredAnnotations(machine({ 'windlass.dev/node-annotations': text }))).toEqual({});
});
