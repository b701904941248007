import type { V1Node } from '@kubernetes/client-node';
import { expect, it } from 'vitest';
import { withSettledDuty } from '../../../shared/plan/duties/settled.ts';
import { ROUTES_ENTRY, routesDigest } from '../../../shared/plan/routes/digest.ts';
import { dutyWorld, nodesOf } from './test-duties.ts';

const BLOCKS = ['192.168.0.0/16'];
/** The first sweep of an hour. */
const HOURLY = '2026-01-01T01:00:00Z';
const OPTED_IN = { 'windlass.dev/cloud-controller': 'Routes' };

const withBlocks = (node: V1Node, podCIDRs: string[]): V1Node => ({ ...node, spec: { ...node.spec, podCIDRs } });

it.each([
  { what: 'requests a pass over a cluster that no pass has looked at', annotations: OPTED_IN, isTouched: true },
  {
    what: 'requests no pass if the nodes are as the last pass left them',
    annotations: OPTED_IN,
    settled: ['192.168.0.0/24'],
  },
  { what: 'requests a pass if a node has got a block', annotations: OPTED_IN, settled: [], isTouched: true },
  {
    what: 'requests a pass if a node has another block',
    annotations: OPTED_IN,
    settled: ['192.168.9.0/24'],
    isTouched: true,
  },
  { what: 'does not look at a cluster without the annotation', annotations: {}, isLooked: false },
  {
    what: 'does not look at a cluster with a controller of its own',
    annotations: OPTED_IN,
    reason: 'OtherController',
    isLooked: false,
  },
  {
    what: 'requests a pass over a cluster with a controller of its own every hour',
    annotations: OPTED_IN,
    reason: 'OtherController',
    at: HOURLY,
    isTouched: true,
  },
])('$what', async (given) => {
  const { annotations, reason, settled, at, isTouched = false, isLooked = true } = given;
  const world = await dutyWorld({ annotations, type: 'windlass.dev/PodsRouted', reason, podBlocks: BLOCKS, at });
  const nodesWith = (blocks: string[]) => nodesOf(world.machine).map((node) => withBlocks(node, blocks));
  const digest = settled && routesDigest(nodesWith(settled), BLOCKS);
  const remembering = withSettledDuty(world.awsCluster, ROUTES_ENTRY, digest) ?? world.awsCluster;
  let looks = 0;
  const client = {
    nodes: async () => {
      looks += 1;
      return nodesWith(['192.168.0.0/24']);
    },
  };

  const found = await world.drift(client, remembering);

  expect(looks).toBe(isLooked ? 1 : 0);
  expect(found).toEqual(isTouched ? ['lb'] : []);
});
