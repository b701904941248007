import { describe, expect, it } from 'vitest';
import type { Cluster } from '../../kinds/index.ts';
import { clusterStatus } from './cluster.ts';
import { findCondition } from './conditions.ts';

const FACTS = {
  infrastructure: null,
  controlPlane: null,
  deployments: [],
  controlPlaneMachines: [],
  workerMachines: [],
};

const statusOf = (spec: Cluster['spec']) =>
  clusterStatus(
    { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: { name: 'a', generation: 1 }, spec },
    FACTS,
    new Date(0),
  );

describe('the status of a Cluster with a topology', () => {
  const { conditions } = statusOf({ topology: { classRef: { name: 'class' }, version: 'v1.34.0' } });

  it('says that nothing comes of it, and counts that into its availability', () => {
    expect(findCondition(conditions, 'TopologyReconciled')).toMatchObject({
      status: 'False',
      reason: 'NotReconciledYet',
    });
    expect(findCondition(conditions, 'Available')?.message).toContain('* TopologyReconciled: Stored');
  });

  it('has no such condition otherwise', () => {
    expect(findCondition(statusOf({ paused: false }).conditions, 'TopologyReconciled')).toBeUndefined();
  });
});
