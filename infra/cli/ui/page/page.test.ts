import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { warningsOf } from './client.ts';
import { inWords } from './conditions.ts';
import { readEdit } from './edit.ts';
import { clusterAddress, objectAddress, readRoute } from './route.ts';
import { yamlOf } from './yaml.ts';

describe('the address', () => {
  it.each([
    ['', { view: 'fleet' }],
    ['#/nowhere/at/all', { view: 'fleet' }],
    [clusterAddress('team', 'a'), { view: 'cluster', namespace: 'team', name: 'a' }],
    [
      objectAddress('team', 'a', 'Machine m'),
      { view: 'object', namespace: 'team', name: 'a', kind: 'Machine', object: 'm' },
    ],
    [clusterAddress('a/b', 'c%'), { view: 'cluster', namespace: 'a/b', name: 'c%' }],
    ['#/clusters/a/%', { view: 'cluster', namespace: 'a', name: '%' }],
  ])('%s is parsed', (hash, route) => {
    expect(readRoute(hash)).toEqual(route);
  });
});

it('reads several warnings from one header', () => {
  const header = '299 - "plan: replaces 3 Machines, one at a time", 299 - "a \\"quoted\\" word"';
  expect(warningsOf(header)).toEqual(['plan: replaces 3 Machines, one at a time', 'a "quoted" word']);
  expect(warningsOf(null)).toEqual([]);
});

it.each([
  ['InfrastructureReady', 'Infrastructure ready'],
  ['EtcdClusterHealthy', 'Etcd cluster healthy'],
  ['ELBAttached', 'ELB attached'],
  ['Available', 'Available'],
])('shows %s as text', (type, words) => {
  expect(inWords(type)).toBe(words);
});

describe('an edit', () => {
  const object = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: { namespace: 'default', name: 'demo', resourceVersion: '7', managedFields: [{}] },
    spec: { paused: false },
  } as unknown as KubeObject;

  it('starts without managed fields, and keeps the version that it is based on', () => {
    const text = yamlOf(object);
    expect(text).not.toContain('managedFields');
    expect(readEdit(text.replace('paused: false', 'paused: true'), object)).toMatchObject({
      metadata: { resourceVersion: '7' },
      spec: { paused: true },
    });
  });

  it.each([
    ['name: demo', 'name: other'],
    ['kind: Cluster', 'kind: Secret'],
    ['namespace: default', 'namespace: kube-system'],
  ])('cannot turn %s into %s', (from, to) => {
    expect(() => readEdit(yamlOf(object).replace(from, to), object)).toThrow(/cannot be changed here/);
  });

  it.each(['', '- a', 'a: [', '3'])('is refused if its text is %j', (text) => {
    expect(() => readEdit(text, object)).toThrow();
  });
});

/** Relative luminance, as WCAG 2.2 defines it; contrast is computed from it. */
const luminance = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const contrast = (a: string, b: string): number => {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
};

describe('the colors', () => {
  const style = readFileSync(join(import.meta.dirname, 'style.css'), 'utf8');
  const [, light = '', dark = ''] = style.split(':root {');
  const colorsOf = (block: string) =>
    Object.fromEntries(
      [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', color = '']) => [name, color]),
    );
  const schemes = { light: colorsOf(light.split('}')[0] ?? ''), dark: colorsOf(dark.split('}')[0] ?? '') };
  const texts = ['text', 'dim', 'link', 'good', 'bad', 'wait'];
  const cases = Object.entries(schemes).flatMap(([scheme, colors]) =>
    Object.keys(colors).flatMap((name) => {
      const least = texts.includes(name) ? 4.5 : 3;
      const isMeant = texts.includes(name) || name.startsWith('step-');
      return isMeant ? ['ground', 'raised'].map((ground) => [scheme, name, ground, least] as const) : [];
    }),
  );

  it('are all covered by the tests', () => {
    expect(cases).toHaveLength(2 * 2 * (texts.length + 5));
  });

  it.each(cases)('of the %s scheme: %s has the contrast to %s that WCAG AA requires', (scheme, name, ground, least) => {
    const colors: Record<string, string> = schemes[scheme as keyof typeof schemes];
    expect(contrast(colors[name] ?? '', colors[ground] ?? '')).toBeGreaterThanOrEqual(least);
  });
});
