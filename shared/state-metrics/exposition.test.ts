import { describe, expect, it } from 'vitest';
import type { Machine } from '../kinds/index.ts';
import type { KubeObject } from '../kube-api/object.ts';
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

const never = (_: KubeObject, error: unknown) => {
  throw error;
};
const textOf = (objects: readonly Machine[], onFailure: Parameters<typeof expose<Machine>>[2] = never) =>
  [...expose(machineMetrics, objects, onFailure)].join('');
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

it('the exposition groups the samples of each metric below its head', () => {
  const metrics = textOf([machine('a'), machine('b')])
    .split('\n')
    .map((line) => /^(?:# (?:HELP|TYPE) )?(capi_\w+)/.exec(line)?.[1])
    .filter((metric, index, all) => metric !== undefined && metric !== all[index - 1]);
  expect(metrics).toEqual([...new Set(metrics)]);
  expect(metrics).toHaveLength(machineMetrics.families.length);
});

it('the exposition skips an object that it cannot read, reports it once, and shows all others', () => {
  const broken = { ...machine('broken'), spec: undefined } as unknown as Machine;
  const half = machine('half', { status: { conditions: 7 as never } });
  const failures: string[] = [];
  const text = textOf([machine('a'), broken, half, machine('b')], ({ metadata }) => failures.push(metadata.name));
  expect(failures).toEqual(['broken', 'half']);
  expect(text.match(/^capi_machine_created\{/gm)).toHaveLength(3);
  expect(text.match(/^capi_machine_info\{.*name="[ab]"/gm)).toHaveLength(2);
});

it('a percentage is read as a number below 1', () => {
  expect([numberOf('25%'), numberOf(1), numberOf('1'), numberOf(undefined)]).toEqual([0.25, 1, 1, undefined]);
});

it('the help of each metric is a sentence on one line', () => {
  const { families } = machineMetrics as StateMetrics<Machine>;
  for (const { help } of families) expect(help).toMatch(/^[A-Z][^\\\n]+\.$/);
});
