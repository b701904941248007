/** Previews of deletions that release machines, or that the passes undo, and of machines that are left as they are. */
import { beforeEach, describe, expect, it } from 'vitest';
import { kinds } from '../../shared/kinds/index.ts';
import { ON_DRIFT } from '../../shared/kinds/rules/drift-policy.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { CORE, makeTestCluster, type TestCluster } from './test-cluster.ts';

let cluster: TestCluster;
let send: TestCluster['send'];
beforeEach(async () => {
  cluster = await makeTestCluster();
  ({ send } = cluster);
});

const warningsOf = async (path: string): Promise<string> => {
  const { code, warnings } = await send('DELETE', path);
  expect(code).toBe(200);
  return warnings.join('\n');
};

const setName = async (): Promise<string> => (await send('GET', `${CORE}/machinesets`)).body.items[0].metadata.name;

describe('the preview of a deletion', () => {
  it('of a deployment or a set whose machines are released deletes none of them', async () => {
    const orphan = '?dryRun=All&propagationPolicy=Orphan';
    expect(await warningsOf(`${CORE}/machinedeployments/quickstart-md-0?dryRun=All`)).toMatch(/deletes \d+ Machines/);
    expect(await warningsOf(`${CORE}/machinedeployments/quickstart-md-0${orphan}`)).not.toContain('deletes');
    expect(await warningsOf(`${CORE}/machinesets/${await setName()}${orphan}`)).not.toContain('deletes');
  });

  it('of the set of a deployment shows that its machines are created again', async () => {
    const warnings = await warningsOf(`${CORE}/machinesets/${await setName()}?dryRun=All`);
    expect(warnings).toContain('MachineDeployment quickstart-md-0 replaces 3 Machines, all at once');
    expect(warnings).toContain('creates MachineSet quickstart-md-0-');
  });
});

describe('the preview of more workers', () => {
  const preview = async (): Promise<string> => {
    const path = `${CORE}/machinedeployments/quickstart-md-0?dryRun=All`;
    return (await send('PATCH', path, { spec: { replicas: 4 } })).warnings.join('\n');
  };

  it.each([
    ['Repair', /replaces 1 Machine and creates 1 Machine/],
    ['Report', /creates 1 Machine/],
  ])('with a terminated instance and the policy %s does what the pass does', async (policy, says) => {
    const key = { namespace: 'default', name: 'quickstart' };
    await cluster.objects.mutate(kinds.cluster, key, ({ metadata, ...rest }) => ({
      ...rest,
      metadata: { ...metadata, annotations: { ...metadata.annotations, [ON_DRIFT]: `InstanceTerminated=${policy}` } },
    }));
    const name = await setName();
    const [machine] = (await send('GET', `${CORE}/machines`)).body.items.filter(
      ({ metadata }: KubeObject) => metadata.ownerReferences?.[0]?.name === name,
    );
    await cluster.objects.mutate(kinds.awsMachine, { ...key, name: machine.metadata.name }, (current) => ({
      ...current,
      status: { ...current.status, instanceState: 'terminated' },
    }));
    const warnings = await preview();
    expect(warnings).toMatch(says);
    expect(warnings.includes('replaces')).toBe(policy === 'Repair');
  });
});
