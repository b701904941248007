import type { V1Node } from '@kubernetes/client-node';
import { describe, expect, it } from 'vitest';
import type { KubeadmConfig, KubeadmControlPlane, Machine } from '../../kinds/index.ts';
import { type HealthFacts, needsConfig } from './default-taint.ts';
import { controlPlaneHealth } from './health.ts';

const ROLE = 'node-role.kubernetes.io/control-plane';
const TAINT = { key: ROLE, effect: 'NoSchedule' } as const;
const OTHER = { key: 'example.com/gpu', effect: 'NoSchedule' } as const;

const node = (taints: object[] = [], labels: Record<string, string> = { [ROLE]: '' }) =>
  ({ metadata: { name: 'n-1', labels }, spec: { taints } }) as V1Node;
const machineWith = (taints: object[] = []) =>
  ({ metadata: { name: 'cp-1', uid: 'u-1' }, spec: { taints } }) as unknown as Machine;
const configOf = (spec: object) => ({ spec }) as KubeadmConfig;
const registering = (taints?: object[]) => ({ nodeRegistration: taints ? { taints } : {} });
const joins = (taints?: object[]) => configOf({ joinConfiguration: { controlPlane: {}, ...registering(taints) } });
const inits = (taints?: object[]) => configOf({ initConfiguration: registering(taints) });

const judge = (seen: V1Node, facts: Partial<HealthFacts>) => {
  const claims = controlPlaneHealth(seen, [], {
    machine: machineWith(),
    initializer: { machine: 'u-0', tainted: true },
    ...facts,
  });
  return claims.find(({ type }) => type === 'NodeKubeadmLabelsAndTaintsSet');
};

const LABEL_MISSING = `Node n-1 does not have the ${ROLE} label`;
const TAINT_MISSING = `Node n-1 does not have the ${ROLE}:NoSchedule taint`;
const BOTH_MISSING = `${LABEL_MISSING} and the ${ROLE}:NoSchedule taint`;

const type = 'NodeKubeadmLabelsAndTaintsSet';
const claimOf = (message: string | undefined) =>
  message ? { type, status: 'False', reason: 'NotSet', message } : { type, status: 'True', reason: 'Set' };

describe('NodeKubeadmLabelsAndTaintsSet', () => {
  it.each([
    ['a node with label and taint', node([TAINT]), joins(), undefined],
    ['a node without the taint that kubeadm sets by default', node(), joins(), TAINT_MISSING],
    ['a node with the taint and another effect', node([{ ...TAINT, effect: 'NoExecute' }]), joins(), TAINT_MISSING],
    ['a node with neither', node([], {}), joins(), BOTH_MISSING],
    ['a node without the label', node([TAINT], {}), joins(), LABEL_MISSING],
    ['a node whose registration names no taint', node(), joins([]), undefined],
    ['a node whose registration names another taint', node([OTHER]), joins([OTHER]), undefined],
    ['a node whose registration names the taint', node([OTHER]), joins([OTHER, TAINT]), TAINT_MISSING],
    ['a first machine that upstream created without taints', node(), inits([]), undefined],
    ['a first machine that upstream created with the default', node(), inits(), TAINT_MISSING],
    ['a first machine that upstream created with an empty configuration', node(), configOf({}), TAINT_MISSING],
    ['a machine without a configuration', node(), null, undefined],
  ])('judges %s', (_what, seen, config, message) => {
    expect(judge(seen, { config })).toEqual(claimOf(message));
  });

  it('is determined by the taints of the Machine first', () => {
    const machine = machineWith([TAINT]);

    expect(judge(node(), { machine, config: joins([]) })).toEqual(claimOf(TAINT_MISSING));
    expect(judge(node([TAINT]), { machine, config: joins([]) })).toEqual(claimOf(undefined));
  });

  it.each([
    { tainted: true, config: joins([]), message: TAINT_MISSING },
    { tainted: false, config: joins(), message: undefined },
  ])(
    'is determined by the configuration that the machine was initialized with: $tainted',
    ({ tainted, config, message }) => {
      expect(judge(node(), { config, initializer: { machine: 'u-1', tainted } })).toEqual(claimOf(message));
    },
  );

  it.each([
    { init: undefined, join: undefined, message: TAINT_MISSING },
    { init: [], join: undefined, message: undefined },
    { init: undefined, join: [], message: undefined },
  ])(
    'expects the taint only if both init ($init) and join ($join) set it, when it is unknown which of them ran',
    (one) => {
      const spec = { kubeadmConfigSpec: { initConfiguration: registering(one.init) } };
      const controlPlane = { spec } as KubeadmControlPlane;
      const facts = { config: joins(one.join), initializer: undefined, controlPlane };

      expect(judge(node(), facts)).toEqual(claimOf(one.message));
    },
  );

  it('is unknown while the node is unreachable', () => {
    const unreachable = { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' };

    expect(judge(node([unreachable]), { config: joins() })).toEqual({
      type,
      status: 'Unknown',
      reason: 'InspectionFailed',
      message: 'Node n-1 is unreachable',
    });
  });

  it('needs the configuration only if the node lacks the taint and the Machine does not request it', () => {
    expect(needsConfig(node([TAINT]), machineWith())).toBe(false);
    expect(needsConfig(node(), machineWith([TAINT]))).toBe(false);
    expect(needsConfig(node(), machineWith())).toBe(true);
  });
});
