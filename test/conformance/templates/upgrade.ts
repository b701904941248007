import type { Cluster, Machine } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { TestLaptop } from '../../end-to-end/laptop.ts';
import { pathOf, waited } from './look.ts';

const CORE = 'cluster.x-k8s.io';

const merge = async ({ api }: TestLaptop, path: string, spec: object): Promise<void> => {
  await api.send('PATCH', path, { spec }, 'application/merge-patch+json');
};

const isControlPlane = ({ metadata }: Machine): boolean => 'cluster.x-k8s.io/control-plane' in (metadata.labels ?? {});

/** Waits until the selected machines have the version. Returns the last state if they do not. */
const outdated = (laptop: TestLaptop, namespace: string, version: string, of: (machine: Machine) => boolean) =>
  waited(async () => {
    const machines = (await laptop.list<Machine>(pathOf(CORE, namespace, 'machines'))).filter(of);
    const old = machines.filter(({ spec }) => spec.version !== version);
    if (old.length === 0 && machines.length > 0) return undefined;
    return `upgrade: of ${machines.length} machines these have another version: ${old.map(({ metadata }) => metadata.name)}`;
  });

/** Sets the version in all objects of one kind. */
const setVersion = async (laptop: TestLaptop, path: string, spec: object): Promise<void> => {
  for (const { metadata } of await laptop.list<KubeObject>(path)) await merge(laptop, `${path}/${metadata.name}`, spec);
};

/**
 * Requests a version as upstream's end-to-end tests do: with one change to the topology, if there is one; otherwise
 * first for the control plane, and for the workers once its machines have the version. Returns the last state if the
 * upgrade gets stuck.
 */
export const upgrade = async (laptop: TestLaptop, namespace: string, version: string): Promise<string | undefined> => {
  const clusters = pathOf(CORE, namespace, 'clusters');
  const [cluster] = await laptop.list<Cluster>(clusters);
  if (cluster?.spec.topology) {
    await merge(laptop, `${clusters}/${cluster.metadata.name}`, { topology: { version } });
    return outdated(laptop, namespace, version, () => true);
  }
  const controlPlanes = pathOf('controlplane.cluster.x-k8s.io', namespace, 'kubeadmcontrolplanes');
  await setVersion(laptop, controlPlanes, { version });
  const stuck = await outdated(laptop, namespace, version, isControlPlane);
  if (stuck !== undefined) return stuck;
  for (const plural of ['machinedeployments', 'machinepools'])
    await setVersion(laptop, pathOf(CORE, namespace, plural), { template: { spec: { version } } });
  return outdated(laptop, namespace, version, () => true);
};
