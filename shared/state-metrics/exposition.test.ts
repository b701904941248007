import { describe, expect, it } from 'vitest';
import type { KubeadmControlPlane, Machine } from '../kinds/index.ts';
import { kubeadmControlPlaneMetrics } from './control-plane.ts';
import { expose } from './exposition.ts';
import { numberOf, type StateMetrics } from './family.ts';
import { machineMetrics } from './machine.ts';

const machine = (name: string, more: Partial<Machine> = {}): Machine => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  metadata: { name, namespace: 'default', uid: `uid-${name}`, creationTimestamp: '2026-01-02T03:04:05Z' },
  spec: {
    clusterName: 'one',
    bootstrap: {},
    infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name },
  },
  ...more,
});

const textOf = (objects: readonly Machine[]) => [...expose(machineMetrics, objects)].join('');
const samplesOf = (metric: string, ...objects: Machine[]): string[] =>
  textOf(objects)
    .split('\n')
    .filter((line) => line.startsWith(`${metric}{`));

const COMMON =
  'customresource_group="cluster.x-k8s.io",customresource_kind="Machine",customresource_version="v1beta2",' +
  'cluster_name="one",namespace="default",name="m",uid="uid-m"';

describe('the metrics of an object', () => {
  it('have the labels that kube-state-metrics gives them', () => {
    expect(samplesOf('capi_machine_created', machine('m'))).toEqual([`capi_machine_created{${COMMON}} 1767323045`]);
  });

  it('show a phase as 1 among 0s, and nothing before there is one', () => {
    expect(samplesOf('capi_machine_status_phase', machine('m'))).toEqual([]);
    const lines = samplesOf('capi_machine_status_phase', machine('m', { status: { phase: 'Running' } }));
    expect(lines).toHaveLength(9);
    expect(lines.filter((line) => line.endsWith(' 1'))).toEqual([
      `capi_machine_status_phase{${COMMON},phase="Running"} 1`,
    ]);
  });

  it('show each status of a condition, and when it changed', () => {
    const condition = { type: 'Ready', status: 'False', lastTransitionTime: '2026-01-02T03:04:05Z' } as const;
    const one = machine('m', { status: { conditions: [{ ...condition, reason: 'Broken', message: 'a secret' }] } });
    expect(samplesOf('capi_machine_status_condition', one)).toEqual([
      `capi_machine_status_condition{${COMMON},type="Ready",status="True"} 0`,
      `capi_machine_status_condition{${COMMON},type="Ready",status="False"} 1`,
      `capi_machine_status_condition{${COMMON},type="Ready",status="Unknown"} 0`,
    ]);
    expect(samplesOf('capi_machine_status_condition_last_transition_time', one)).toEqual([
      `capi_machine_status_condition_last_transition_time{${COMMON},type="Ready",status="False"} 1767323045`,
    ]);
    expect(textOf([one])).not.toContain('a secret');
  });

  it('leave out labels without a value, and samples without labels', () => {
    const [line] = samplesOf('capi_machine_info', machine('m'));
    expect(line).toContain('infrastructure_reference_name="m"');
    expect(line).not.toContain('provider_id');
    expect(samplesOf('capi_machine_status_noderef', machine('m'))).toEqual([]);
  });

  it('have escaped label values, which end neither the value nor the line', () => {
    const kernelVersion = 'a"b\\c\nd} 1';
    const nodeInfo = { kernelVersion } as NonNullable<NonNullable<Machine['status']>['nodeInfo']>;
    const [line] = samplesOf('capi_machine_info', machine('m', { status: { nodeInfo } }));
    expect(line).toContain('kernel_version="a\\"b\\\\c\\nd} 1"');
  });
});

describe('a long label value', () => {
  const nodeInfo = (kernelVersion: string) =>
    ({ kernelVersion }) as NonNullable<NonNullable<Machine['status']>['nodeInfo']>;
  const kernelOf = (version: string) => {
    const [line = ''] = samplesOf('capi_machine_info', machine('m', { status: { nodeInfo: nodeInfo(version) } }));
    return /kernel_version="(.*?)"/.exec(line)?.[1];
  };

  it('is cut, and says so at its end', () => {
    expect(kernelOf('x'.repeat(100_000))).toBe(`${'x'.repeat(511)}…`);
  });

  it('is whole if it has at most as many characters as the longest that a schema allows', () => {
    expect(kernelOf('x'.repeat(512))).toBe('x'.repeat(512));
  });

  it('does not make two samples of an object equal', () => {
    const owner = (end: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', name: 'x'.repeat(600) + end, uid: 'u' });
    const one = machine('m');
    const owned = { ...one, metadata: { ...one.metadata, ownerReferences: [owner('a'), owner('b')] } };
    expect(samplesOf('capi_machine_owner', owned)).toHaveLength(1);
  });
});

it('an object with many conditions and a long name of its cluster takes little text', () => {
  const metadata = { name: 'm', namespace: 'default', uid: 'u' };
  const owner = { apiVersion: 'v1', kind: 'Cluster', name: 'x'.repeat(300_000), uid: 'u' };
  const conditions = Array.from({ length: 32 }, (_, index) => ({ type: `C${index}`, status: 'True' }) as never);
  const controlPlane = { metadata: { ...metadata, ownerReferences: [owner] }, spec: {}, status: { conditions } };
  const text = [...expose(kubeadmControlPlaneMetrics, [controlPlane as unknown as KubeadmControlPlane])].join('');
  expect(text.length).toBeLessThan(200_000);
});

it('the exposition groups the samples of each metric below its head', () => {
  const metrics = textOf([machine('a'), machine('b')])
    .split('\n')
    .map((line) => /^(?:# (?:HELP|TYPE) )?(capi_\w+)/.exec(line)?.[1])
    .filter((metric, index, all) => metric !== undefined && metric !== all[index - 1]);
  expect(metrics).toEqual([...new Set(metrics)]);
  expect(metrics).toHaveLength(machineMetrics.families.length);
});

it('a percentage is read as a number below 1', () => {
  expect([numberOf('25%'), numberOf(1), numberOf('1'), numberOf(undefined)]).toEqual([0.25, 1, 1, undefined]);
});

it('the help of each metric is a sentence on one line', () => {
  const { families } = machineMetrics as StateMetrics<Machine>;
  for (const { help } of families) expect(help).toMatch(/^[A-Z][^\\\n]+\.$/);
});
