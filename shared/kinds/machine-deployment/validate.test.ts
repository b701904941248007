import { describe, expect, it } from 'vitest';
import { admit, example, refusals } from '../test-admission.ts';
import { machineDeployment } from './definition.ts';
import type { MachineDeployment, MachineDeploymentSpec } from './schema.ts';

const MIN = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size';
const MAX = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size';
const CLUSTER = { 'cluster.x-k8s.io/cluster-name': 'quickstart' };
const NAME = { 'cluster.x-k8s.io/deployment-name': 'quickstart-md-0' };

const withSpec = (spec: Partial<MachineDeploymentSpec>): MachineDeployment => {
  const base = example(machineDeployment);
  return { ...base, spec: { ...base.spec, ...spec } };
};

const withTemplate = (template: Partial<MachineDeploymentSpec['template']>): MachineDeployment =>
  withSpec({ template: { ...example(machineDeployment).spec.template, ...template } });

describe('MachineDeployment defaults', () => {
  it('select by name if there is no selector, and always by cluster', () => {
    const bare = withTemplate({ metadata: undefined });
    const { metadata, spec } = admit(machineDeployment, { ...bare, spec: { ...bare.spec, selector: undefined } });
    expect(metadata.labels).toEqual(CLUSTER);
    expect(spec.selector).toEqual({ matchLabels: { ...NAME, ...CLUSTER } });
    expect(spec.template.metadata).toEqual({ labels: { ...NAME, ...CLUSTER } });
  });

  it('treat `matchLabels: null`, as in the stock templates, as no selector', () => {
    const bare = withSpec({});
    const { spec } = admit(machineDeployment, { ...bare, spec: { ...bare.spec, selector: { matchLabels: null } } });
    expect(spec.selector).toEqual({ matchLabels: { ...NAME, ...CLUSTER } });
  });

  it('roll out with one additional machine and none unavailable', () => {
    expect(admit(machineDeployment, withSpec({})).spec.rollout).toEqual({
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    });
    const onDelete = admit(machineDeployment, withSpec({ rollout: { strategy: { type: 'OnDelete' } } }));
    expect(onDelete.spec.rollout).toEqual({ strategy: { type: 'OnDelete' } });
  });

  it.each([
    { old: undefined, replicas: 2, reason: 'a new deployment starts at the minimum' },
    { old: 1, replicas: 2, reason: 'below the range' },
    { old: 9, replicas: 5, reason: 'above the range' },
    { old: 4, replicas: 4, reason: 'within the range' },
  ])('take $replicas replicas from the autoscaler: $reason', ({ old, replicas }) => {
    const base = withSpec({ replicas: undefined });
    const object = { ...base, metadata: { ...base.metadata, annotations: { [MIN]: '2', [MAX]: '5' } } };
    const before = old === undefined ? undefined : admit(machineDeployment, withSpec({ replicas: old }));
    expect(admit(machineDeployment, object, before).spec.replicas).toBe(replicas);
  });

  it('are one replica without an autoscaler, and change nothing in an admitted object', () => {
    const once = admit(machineDeployment, withSpec({ replicas: undefined }));
    expect(once.spec.replicas).toBe(1);
    expect(admit(machineDeployment, once, once)).toEqual(once);
  });
});

describe('MachineDeployment admission', () => {
  it('requires the selector to select the template', () => {
    expect(refusals(machineDeployment, withSpec({ selector: { matchLabels: { pool: 'a' } } }))).toEqual([
      'spec.template.metadata.labels: Forbidden: must match spec.selector "cluster.x-k8s.io/cluster-name=quickstart,pool=a"',
    ]);
    const odd = { matchExpressions: [{ key: 'pool', operator: 'Near', values: ['a'] }] };
    expect(refusals(machineDeployment, withSpec({ selector: odd }))[0]).toContain(
      '"Near" is not a valid label selector operator',
    );
  });

  it('requires the same cluster in the spec and the template, and refuses to change it', () => {
    const old = admit(machineDeployment, withSpec({}));
    const moved = { ...old, spec: { ...old.spec, clusterName: 'other' } };
    expect(refusals(machineDeployment, moved, old)).toEqual([
      'spec.clusterName: Forbidden: field is immutable',
      'spec.clusterName: Invalid value: "other": spec.clusterName and spec.template.spec.clusterName must be set to the same value',
    ]);
  });

  it('requires a version with major, minor and patch', () => {
    const { spec } = example(machineDeployment).spec.template;
    expect(refusals(machineDeployment, withTemplate({ spec: { ...spec, version: '1' } }))).toEqual([
      'spec.template.spec.version: Invalid value: "v1": must be a valid semantic version',
    ]);
  });

  it('requires a source of bootstrap data', () => {
    const { spec } = example(machineDeployment).spec.template;
    expect(refusals(machineDeployment, withTemplate({ spec: { ...spec, bootstrap: {} } }))).toEqual([
      'spec.template.spec.bootstrap: Required value: expected either spec.template.spec.bootstrap.dataSecretName or spec.template.spec.bootstrap.configRef to be populated',
    ]);
  });

  it.each([
    { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 }, line: 'maxUnavailable and maxSurge cannot both be 0' },
    { rollingUpdate: { maxSurge: 'many' }, line: 'must be either an int or a percentage' },
    { rollingUpdate: { maxUnavailable: '10' }, line: 'must be either an int or a percentage' },
  ])('refuses the rolling update $rollingUpdate', ({ rollingUpdate, line }) => {
    const rollout = { strategy: { type: 'RollingUpdate' as const, rollingUpdate } };
    const lines = refusals(machineDeployment, withSpec({ rollout }));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(line);
  });

  it('refuses a name that cannot be a label value, and autoscaler bounds that are not numbers', () => {
    const base = withSpec({});
    const metadata = { ...base.metadata, name: `md-${'x'.repeat(61)}`, annotations: { [MIN]: 'few', [MAX]: '5' } };
    const lines = refusals(machineDeployment, { ...base, metadata });
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain('metadata.name: Invalid value');
    expect(lines[1]).toContain('must be an integer');
  });

  it('refuses autoscaler bounds that spec.replicas cannot hold, unless they were stored before', () => {
    const { replicas: _, ...spec } = withSpec({}).spec;
    const bounded = (bound: string) => {
      const base = withSpec({});
      const metadata = { ...base.metadata, namespace: 'default', annotations: { [MIN]: bound, [MAX]: bound } };
      return { ...base, metadata, spec };
    };
    expect(admit(machineDeployment, bounded('2147483647')).spec.replicas).toBe(2147483647);
    expect(refusals(machineDeployment, bounded('2147483648'))).toHaveLength(2);
    expect(refusals(machineDeployment, bounded('-2147483649'))).toHaveLength(2);

    const stored = { ...bounded('99999999999'), spec: { ...spec, replicas: 99999999999 } } as MachineDeployment;
    const repaired = admit(machineDeployment, { ...stored, spec: { ...spec, replicas: 3 } }, stored);
    expect(repaired.spec.replicas).toBe(3);
    expect(admit(machineDeployment, { ...stored, spec }, stored).spec.replicas).toBe(1);
  });

  it('refuses a default that a later write would refuse', () => {
    const careless = {
      ...machineDeployment,
      default: (object: MachineDeployment) => ({ ...object, spec: { ...object.spec, replicas: 2 ** 40 } }),
    };
    const [line] = refusals(careless, withSpec({ replicas: 1 }));
    expect(line).toContain('spec.replicas');
  });

  it('refuses the taint of the control plane on workers', () => {
    const { spec } = example(machineDeployment).spec.template;
    const taint = {
      key: 'node-role.kubernetes.io/control-plane',
      effect: 'NoSchedule',
      propagation: 'Always',
    } as const;
    expect(refusals(machineDeployment, withTemplate({ spec: { ...spec, taints: [taint] } }))).toEqual([
      'spec.template.spec.taints[0].key: Invalid value: "node-role.kubernetes.io/control-plane": taint is not allowed for worker Machines',
    ]);
  });
});
