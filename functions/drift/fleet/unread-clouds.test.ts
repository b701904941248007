import type { V1Node } from '@kubernetes/client-node';
import { beforeEach, describe, expect, it } from 'vitest';
import { toKubeconfigSecret } from '../../../shared/bootstrap/certificates/secrets.ts';
import { type Cluster, kinds, type Secret } from '../../../shared/kinds/index.ts';
import { ON_DRIFT } from '../../../shared/kinds/rules/drift-policy.ts';
import type { Condition } from '../../../shared/kube-api/object.ts';
import { NOTICE_ANNOTATION } from '../../../shared/plan/instance-events/notice.ts';
import { findCondition } from '../../../shared/plan/status/conditions.ts';
import type { WorkloadClient } from '../../../shared/workload/client.ts';
import { IdentityError } from '../../providers/aws/identity/identity-error.ts';
import { SWEEP_FAILED } from '../reports/report-troubles.ts';
import { createTestFleet, type FleetDependencies, NAMESPACE, type TestFleet } from '../test-fleet.ts';

/** A settled cluster `green`, in its own account. */
const GREEN = { namespace: NAMESPACE, name: 'green' };
const AT = '2026-11-20T12:00:00Z';
const WHY = 'AWSClusterRoleIdentity spoke: spec.roleARN cannot be assumed: AccessDenied';

let fleet: TestFleet;

const conditions = (retrieved: Condition['status']): Condition[] =>
  Object.entries({ VpcReady: 'True', PrincipalUsageAllowed: 'True', PrincipalCredentialRetrieved: retrieved }).map(
    ([type, status]) => ({
      type,
      status: status as Condition['status'],
      reason: 'Reported',
      message: 'as a pass has found it',
      lastTransitionTime: AT,
    }),
  );

/** What a pass writes about the identity. */
const report = (retrieved: Condition['status']) =>
  fleet.objects.mutate(kinds.awsCluster, GREEN, (awsCluster) => ({
    ...awsCluster,
    status: { ...awsCluster.status, ready: true, conditions: conditions(retrieved) },
  }));

const revoked = (deps: FleetDependencies): FleetDependencies => ({
  ...deps,
  scopeOf: async (awsCluster) => {
    if (awsCluster?.metadata.name === 'green') throw new IdentityError('refused', WHY);
    return deps.scopeOf(awsCluster);
  },
});

const said = async () => {
  const cluster = await fleet.objects.get(kinds.cluster, GREEN);
  const { status, reason, message } = findCondition(cluster?.status?.conditions, SWEEP_FAILED) ?? {};
  return [status, reason, message];
};

beforeEach(async () => {
  fleet = await createTestFleet();
  await fleet.addCluster('green', 'there');
  await fleet.addMachines('green', 'there', 3);
  await report('True');
});

describe('a cluster whose identity is revoked without a change of an object', () => {
  it('gets one pass, which reports the failure, and is counted in each sweep', async () => {
    for (let sweeps = 0; sweeps < 3; sweeps += 1)
      expect(await fleet.run(revoked)).toMatchObject({ troubled: 1, found: 0, considered: 6 });
    expect(fleet.touched).toEqual(['green']);
    expect(await said()).toEqual(['True', 'CloudNotRead', `AWSCluster default/green: find its account: ${WHY}`]);
    expect(await fleet.warnings()).toEqual(['CloudNotRead']);
  });

  it('gets no pass if its AWSCluster already reports the failure', async () => {
    await report('Unknown');
    await fleet.run(revoked);
    expect(fleet.touched).toEqual([]);
  });

  it('gets its pass in the next sweep if the pass could not be started', async () => {
    fleet.refused.add('green');
    await expect(fleet.run(revoked)).rejects.toThrow('no execution for green');
    fleet.refused.clear();
    fleet.setTime('2026-11-20T13:15:00Z');
    await fleet.run(revoked);
    expect(fleet.touched).toEqual(['green']);
  });

  it('gets one pass once the identity works again', async () => {
    await fleet.run(revoked);
    await report('Unknown');
    for (let sweeps = 0; sweeps < 3; sweeps += 1) expect(await fleet.run()).toMatchObject({ troubled: 0 });
    expect(fleet.touched).toEqual(['green', 'green']);
    expect(await said()).toEqual(['False', 'ObjectsHandled', '']);
  });

  it('gets no pass when the identity works again if one has already reported that', async () => {
    await fleet.run(revoked);
    await report('Unknown');
    await fleet.run(revoked);
    await report('True');
    await fleet.run();
    expect(fleet.touched).toEqual(['green']);
    expect(await said()).toEqual(['False', 'ObjectsHandled', '']);
  });

  it('gets one pass in all if another system writes the conditions', async () => {
    await fleet.objects.mutate(kinds.awsCluster, GREEN, (awsCluster) => ({
      ...awsCluster,
      metadata: { ...awsCluster.metadata, annotations: { 'cluster.x-k8s.io/managed-by': 'terraform' } },
    }));
    await fleet.run(revoked);
    await fleet.run();
    await fleet.run();
    expect(fleet.touched).toEqual(['green']);
  });

  it('is not counted if nothing has been created for it', async () => {
    await fleet.addCluster('new', 'there');
    const refuse = (deps: FleetDependencies): FleetDependencies => ({
      ...deps,
      scopeOf: async (awsCluster) => {
        if (awsCluster?.metadata.name === 'new') throw new IdentityError('unauthorized', 'not allowed');
        return deps.scopeOf(awsCluster);
      },
    });
    expect(await fleet.run(refuse)).toMatchObject({ troubled: 0 });
  });
});

describe('the instances of a cluster whose identity was revoked', () => {
  it('are not considered missing or unknown, and are not repaired, whatever the policies', async () => {
    await fleet.objects.mutate(kinds.cluster, GREEN, (cluster) => ({
      ...cluster,
      metadata: { ...cluster.metadata, annotations: { [ON_DRIFT]: 'UnknownInstance=Repair,InstanceType=Repair' } },
    }));
    fleet.regions.get('there')?.clear();
    const before = await fleet.objects.list(kinds.machine, NAMESPACE);
    await fleet.run(revoked);
    expect(await fleet.objects.list(kinds.machine, NAMESPACE)).toEqual(before);
    expect(fleet.calls).toEqual([]);
  });
});

describe('the nodes of a cluster whose identity was revoked', () => {
  const readNodes = async (nodes: readonly V1Node[]) => {
    await fleet.objects.ensure(kinds.secret, toKubeconfigSecret('green', NAMESPACE, 'a kubeconfig') as Secret);
    await fleet.objects.mutate(kinds.cluster, GREEN, (cluster): Cluster => {
      const controlPlaneRef = { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'KubeadmControlPlane', name: 'green' };
      return {
        ...cluster,
        metadata: { ...cluster.metadata, annotations: { [ON_DRIFT]: 'NodeDeleted=Repair' } },
        spec: { ...cluster.spec, controlPlaneRef },
        status: {
          ...cluster.status,
          conditions: [
            // As the first sweep leaves it: that sweep requests a pass because of the nodes.
            ...(cluster.status?.conditions ?? []).filter(({ type }) => type !== 'RemoteConnectionProbe'),
            { type: 'RemoteConnectionProbe', status: 'True', reason: 'Up', message: '', lastTransitionTime: AT },
          ],
        },
      };
    });
    for (const { metadata } of await fleet.objects.listOfCluster(kinds.machine, NAMESPACE, 'green'))
      await fleet.objects.mutate(kinds.machine, { namespace: NAMESPACE, name: metadata.name }, (machine) => ({
        ...machine,
        status: { ...machine.status, nodeRef: { name: metadata.name } },
      }));
    const client = { nodes: async () => nodes, controlPlanePods: async () => [], close: async () => {} };
    return (deps: FleetDependencies) => ({
      ...revoked(deps),
      connect: async () => () => client as unknown as WorkloadClient,
    });
  };

  it('are read, and a change causes a pass', async () => {
    await fleet.run(revoked);
    fleet.touched.length = 0;
    const status = { conditions: [{ type: 'Ready', status: 'False' }] };
    const machines = await fleet.objects.listOfCluster(kinds.machine, NAMESPACE, 'green');
    const nodes = machines.map(({ metadata, spec }) => ({
      ...{ metadata: { name: metadata.name }, spec: { providerID: spec.providerID }, status },
    })) as V1Node[];
    await fleet.run(await readNodes(nodes));
    expect(fleet.touched).toEqual(['green']);
  });

  it('do not cause the replacement of machines if they are gone, because the instances may be gone, too', async () => {
    await fleet.run(await readNodes([]));
    for (const { metadata } of await fleet.objects.listOfCluster(kinds.machine, NAMESPACE, 'green'))
      expect(metadata.annotations?.[NOTICE_ANNOTATION]).toBeUndefined();
  });
});
