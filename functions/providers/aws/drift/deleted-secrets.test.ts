import { expect, it } from 'vitest';
import type { AWSCluster, AWSMachine, Cluster, Machine } from '../../../../shared/kinds/index.ts';
import { silentLog } from '../../../../shared/log.ts';
import { makeBulkheads } from '../../../bulkheads.ts';
import { findDeletedSecrets } from './deleted-secrets.ts';

const waiting = (namespace: string, name: string, creationTimestamp: string) => {
  const metadata = { namespace, name, uid: `${namespace}/${name}`, creationTimestamp };
  const cloudInit = { secretPrefix: `${namespace}-${name}`, secretCount: 1 };
  return {
    machine: { metadata, spec: { clusterName: 'red' } } as Machine,
    infrastructure: {
      metadata,
      spec: { instanceID: `i-${name}`, providerID: `aws:///a/i-${name}`, cloudInit },
      status: { instanceState: 'running' },
    } as unknown as AWSMachine,
    cluster: { metadata: { namespace, name: 'red' }, spec: {} } as Cluster,
    awsCluster: { metadata: { namespace, name: 'red' } } as AWSCluster,
  };
};

const MACHINES = [
  ...Array.from({ length: 120 }, (_, index) => waiting('mallory', `m-${index}`, '2026-11-20T08:00:00Z')),
  waiting('team', 'm', '2026-11-20T11:50:00Z'),
];

/** The uids of machines whose secrets are checked in a sweep at this time. */
const checkedAt = async (now: string): Promise<string[]> => {
  const secrets = () => ({ isScheduledForDeletion: async () => true, restore: async () => {} });
  const clock = { now: () => new Date(now), sleep: async () => {} };
  const deps = { secrets, clock, log: silentLog };
  const found = await findDeletedSecrets(deps, { scope: {} as never, machines: MACHINES }, makeBulkheads(silentLog));
  return [...found.keys()];
};

it('checks machines of each namespace in turn, and all of them in time', async () => {
  const seen = new Set<string>();
  for (let minute = 0; minute < 120; minute += 5) {
    const checked = await checkedAt(new Date(Date.parse('2026-11-20T12:00:00Z') + minute * 60_000).toISOString());
    expect(checked).toHaveLength(50);
    expect(checked).toContain('team/m');
    for (const uid of checked) seen.add(uid);
  }
  expect(seen.size).toBe(MACHINES.length);
});
