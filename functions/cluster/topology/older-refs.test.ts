import { expect, it } from 'vitest';
import type { ClusterClass } from '../../../shared/kinds/cluster-class/schema.ts';
import { kinds } from '../../../shared/kinds/index.ts';
import { useTestDatabase } from '../test-database.ts';
import { makeManagedCluster } from './test-topology.ts';

const database = useTestDatabase();

/** The class, with all its references to kubeadm's kinds in the older version. */
const older = (spec: ClusterClass['spec']): ClusterClass['spec'] =>
  JSON.parse(
    JSON.stringify(spec).replaceAll(/((?:controlplane|bootstrap)\.cluster\.x-k8s\.io\/)v1beta2/g, '$1v1beta1'),
  ) as ClusterClass['spec'];

it('a class may refer to v1beta2 templates in v1beta1', async () => {
  const managed = await makeManagedCluster(database());
  await managed.changeClass(older);
  await managed.begin();
  expect(await managed.condition()).toMatchObject({ status: 'True' });
  const at = { namespace: 'default', name: 'aws-small-control-plane' };
  const template = await managed.objects.get(kinds.kubeadmControlPlaneTemplate, at);
  expect(template?.metadata.ownerReferences).toEqual([expect.objectContaining({ kind: 'ClusterClass' })]);

  const versions = async () =>
    [
      ...(await managed.listed(kinds.kubeadmControlPlane)),
      ...(await managed.listed(kinds.machineDeployment)),
      ...(await managed.listed(kinds.kubeadmConfigTemplate)),
      ...(await managed.templates()),
      await managed.cluster(),
    ].map(({ kind, metadata }) => [kind, metadata.resourceVersion]);
  await managed.becomeReady();
  await managed.begin();
  const before = await versions();
  await managed.begin();
  expect(await versions()).toEqual(before);
});
