import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { normal, warning } from '../../../shared/events/catalogue.ts';
import { KINDS } from '../../../shared/kinds/index.ts';
import { ROOT } from '../paths.ts';
import { EVENT_CATALOGUES, eventRows } from './event-catalogues.ts';
import { eventsPage } from './events-page.ts';
import { UPSTREAM_REASONS } from './upstream-reasons.ts';

describe('docs/events.md', () => {
  it('has the current reasons of all catalogues (update it with npm run docs)', () => {
    expect(eventsPage(eventRows())).toBe(readFileSync(join(ROOT, 'docs', 'events.md'), 'utf8'));
  });

  it('shows each reason once under each kind that it is recorded on', () => {
    const toys = { Painted: normal({ Toy: 'It was painted.' }), Broken: warning({ ControlPlane: 'It is broken.' }) };
    const rows = eventRows([
      { reasons: toys, recordedIn: [] },
      { reasons: { Painted: normal({ Toy: 'It was painted again.' }) }, recordedIn: [] },
      { reasons: toys, recordedIn: [] },
    ]);
    expect(rows.map(({ kind, reason }) => [kind, reason])).toEqual([
      ['Toy', 'Painted'],
      ['KubeadmControlPlane', 'Broken'],
      ['RKE2ControlPlane', 'Broken'],
    ]);
    const page = eventsPage(rows);
    expect(page).toContain('## Toy\n\n| reason | type | upstream | when it is recorded |\n|---|---|---|---|\n');
    expect(page).toContain('| `Painted` | Normal |  | It was painted. Or: it was painted again. |');
    expect(page).toContain('| `Broken` | Warning |  | It is broken. |');
  });
});

describe('the catalogues of events', () => {
  it('name only served kinds', () => {
    // Services and Nodes are in workload clusters, and so are their events.
    const served = new Set(['Node', 'Service', ...KINDS.map(({ kind }) => kind)]);
    expect(eventRows().filter(({ kind }) => !served.has(kind))).toEqual([]);
  });

  it('say in one sentence when a reason is recorded', () => {
    const sentences = EVENT_CATALOGUES.flatMap(({ reasons }) => Object.values(reasons)).flatMap(({ on }) =>
      Object.values(on),
    );
    expect(sentences.filter((one) => !/^[A-Z][^.|]*\.$/.test(one) || one.length > 130)).toEqual([]);
    expect(sentences.length).toBeGreaterThan(200);
  });

  it.each(['Normal', 'Warning'] as const)('include the %s reasons of upstream', (type) => {
    const own = new Set(eventRows().flatMap((row) => (row.type === type ? [row.reason] : [])));
    expect(UPSTREAM_REASONS[type].filter((reason) => !own.has(reason))).toEqual([]);
    expect(UPSTREAM_REASONS[type].length).toBeGreaterThan(30);
  });
});
