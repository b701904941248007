import { describe, expect, it } from 'vitest';
import { admit, refusals } from '../test-admission.ts';
import { machineHealthCheck } from './definition.ts';
import type { MachineHealthCheck, MachineHealthCheckSpec } from './schema.ts';

const CLUSTER = 'cluster.x-k8s.io/cluster-name';

const withSpec = (spec: Partial<MachineHealthCheckSpec>): MachineHealthCheck => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'MachineHealthCheck',
  metadata: { name: 'workers' },
  spec: { clusterName: 'quickstart', selector: { matchLabels: { pool: 'a' } }, ...spec },
});

const refused = (spec: Partial<MachineHealthCheckSpec>, old?: MachineHealthCheck): string[] =>
  refusals(machineHealthCheck, withSpec(spec), old);

describe('MachineHealthCheck', () => {
  it('gets the label of its cluster and a node startup timeout of ten minutes by default', () => {
    const { metadata, spec } = admit(machineHealthCheck, withSpec({ checks: {} }));
    expect(metadata.labels).toEqual({ [CLUSTER]: 'quickstart' });
    expect(spec.checks).toEqual({ nodeStartupTimeoutSeconds: 600 });
    expect(refused({ checks: { nodeStartupTimeoutSeconds: 0 } })).toEqual([]);
  });

  it('refuses a startup timeout that is too short for a machine to start', () => {
    expect(refused({ checks: { nodeStartupTimeoutSeconds: 29 } })).toEqual([
      'spec.checks.nodeStartupTimeoutSeconds: Invalid value: 29: must be at least 30s',
    ]);
  });

  it('requires a selector of machines in its own cluster', () => {
    expect(refused({ selector: {} })).toEqual(['spec.selector: Required value: selector must not be empty']);
    expect(refused({ selector: { matchLabels: { [CLUSTER]: 'other' } } })).toEqual([
      expect.stringContaining('cannot specify a cluster selector other than the one specified by ClusterName'),
    ]);
    expect(refused({ selector: { matchLabels: { 'not a label': 'x' } } })[0]).toContain(
      'spec.selector: Invalid value: {"matchLabels":{"not a label":"x"}}: key: Invalid value: "not a label": name part',
    );
  });

  it('cannot move to another cluster', () => {
    const old = admit(machineHealthCheck, withSpec({}));
    expect(refused({ clusterName: 'other' }, old)).toEqual(['spec.clusterName: Forbidden: field is immutable']);
  });

  it('refuses conditions that health checks themselves set', () => {
    const unhealthyMachineConditions = [{ type: 'Ready', status: 'False' as const, timeoutSeconds: 5 }];
    expect(refused({ checks: { unhealthyMachineConditions } })).toEqual([
      'spec.checks.unhealthyMachineConditions[0].type: Invalid value: "Ready": type must not be one of: Ready, Available, HealthCheckSucceeded, OwnerRemediated, ExternallyRemediated',
    ]);
  });

  it.each([
    { triggerIf: { unhealthyLessThanOrEqualTo: 'few' }, field: 'unhealthyLessThanOrEqualTo' },
    { triggerIf: { unhealthyInRange: '3-5' }, field: 'unhealthyInRange' },
  ])('refuses the remediation trigger $triggerIf', ({ triggerIf, field }) => {
    const lines = refused({ remediation: { triggerIf } });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(`spec.remediation.triggerIf.${field}: Invalid value`);
  });
});
