import { expect, it } from 'vitest';
import { serverConfigsOf } from './rke2.ts';
import { ALL_ROLES, aNode, configOf } from './test-config.ts';

const SERVER = ['controlplane', 'etcd'];

it.each([
  { reason: 'no server is a worker', nodes: [aNode(1, SERVER), aNode(2, ['worker'])], isTainted: true },
  { reason: 'a server is a worker as well', nodes: [aNode(1, ALL_ROLES)], isTainted: false },
])('servers are tainted against the pods of users: $isTainted, because $reason', ({ nodes, isTainted }) => {
  const { nodeTaints } = serverConfigsOf(configOf({ nodes })).agentConfig;
  expect(nodeTaints).toEqual(isTainted ? ['node-role.kubernetes.io/control-plane:NoSchedule'] : undefined);
});
