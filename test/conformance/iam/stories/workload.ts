/** Actions in a workload cluster: for example, add-ons are applied and unused nodes are deleted. */
import { WATCHES } from '../../../../functions/api/gateway/redirect-watch.ts';
import type { AWSCluster, ClusterResourceSet, Event } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { CORE } from '../../../end-to-end/laptop.ts';
import { ADDONS } from '../../../end-to-end/with-addons.ts';
import { liveWithReports } from '../../../end-to-end/with-reports.ts';
import { liveWithRoutes } from '../../../end-to-end/with-routes.ts';
import { liveWithServices } from '../../../end-to-end/with-services.ts';
import type { RecordedLaptop } from '../recording.ts';
import { onHosts } from './machine-options.ts';
import { applyAll, MERGE, remove, runs, SECRETS, type Story, sweep } from './story.ts';

const SET = 'of-a-secret';
const SECOND = 'of-the-same-secret';
const LABEL = { 'add-ons': SET };
const MANIFEST =
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: add-on, namespace: kube-public}\ndata: {from: secret}\n';

/** Creates two sets that apply the contents of the same Secret. */
const useAddons = async (laptop: RecordedLaptop, cluster: string): Promise<void> => {
  await laptop.api.send('POST', SECRETS, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: SET, namespace: 'default' },
    type: 'addons.cluster.x-k8s.io/resource-set',
    stringData: { 'add-on.yaml': MANIFEST },
  });
  for (const name of [SET, SECOND])
    await laptop.api.send('POST', ADDONS, {
      apiVersion: 'addons.cluster.x-k8s.io/v1beta2',
      kind: 'ClusterResourceSet',
      metadata: { name, namespace: 'default' },
      spec: { clusterSelector: { matchLabels: LABEL }, resources: [{ kind: 'Secret', name: SET }] },
    });
  await laptop.api.send('PATCH', `${CORE}/clusters/${cluster}`, { metadata: { labels: LABEL } }, MERGE);
  const isApplied = async (name: string): Promise<boolean> => {
    const set = await laptop.get<ClusterResourceSet>(`${ADDONS}/${name}`);
    const { conditions = [] } = set?.status ?? {};
    return conditions.some(({ type, status }) => type === 'ResourcesApplied' && status === 'True');
  };
  const areApplied = async () => (await isApplied(SET)) && (await isApplied(SECOND));
  await laptop.until('the add-ons are applied', areApplied);
};

/**
 * Deletes one set, which removes an owner from the Secret, and then the other, which deletes the Secret. The sweep does
 * both.
 */
const dropAddons = async (laptop: RecordedLaptop): Promise<void> => {
  const secret = () => laptop.get<KubeObject>(`${SECRETS}/${SET}`);
  const drop = async (name: string): Promise<void> => {
    await laptop.api.send('DELETE', `${ADDONS}/${name}`);
    const isGone = async () => (await laptop.get(`${ADDONS}/${name}`)) === undefined;
    await laptop.until('a set is gone', isGone);
    await sweep(laptop);
  };
  await drop(SECOND);
  const hasOneOwner = async () => (await secret())?.metadata.ownerReferences?.length === 1;
  await laptop.until('one owner is left', hasOneOwner);
  await drop(SET);
  await laptop.until('the Secret is gone', async () => (await secret()) === undefined);
};

/**
 * Creates the node of a former instance that no longer belongs to a machine, for which the next reconciliation queries
 * EC2.
 */
export const leaveNode = async (laptop: RecordedLaptop, cluster: string, instanceId: string): Promise<void> => {
  const workload = await laptop.workload(cluster);
  const spec = { providerID: `aws:///us-east-1a/${instanceId}` };
  await workload.createNode({ body: { metadata: { name: 'left-over' }, spec } });
  const annotations = { 'example.com/looked-at': 'again' };
  await laptop.api.send('PATCH', `${CORE}/clusters/${cluster}`, { metadata: { annotations } }, MERGE);
  const isGone = async (): Promise<boolean> => {
    const { items } = await workload.listNode();
    return items.every(({ metadata }) => metadata?.name !== 'left-over');
  };
  await laptop.until('the node is gone', isGone);
};

const EVENTS = '/api/v1/namespaces/default/events';

/**
 * A client reconnects its watch of events after a while and receives the events that it has missed, here about the
 * cluster's VPC.
 */
const catchUp = async ({ api, list }: RecordedLaptop, cluster: string, since: string): Promise<void> => {
  const events = await list<Event>(EVENTS);
  const made = events.find(
    ({ reason, involvedObject }) => reason === 'SuccessfulCreateVPC' && involvedObject?.name === cluster,
  );
  const query = `watch=true&timeoutSeconds=2&resourceVersion=${since}&fieldSelector=metadata.name%3D${made?.metadata.name}`;
  // Tests both ways: the API serves the watch itself, or redirects the client to the function for watches.
  for (const path of [EVENTS, `/${WATCHES}${EVENTS}`]) {
    const { type } = await api.send<{ type: string }>('GET', `${path}?${query}`);
    if (type !== 'ADDED') throw new Error(`the watch of ${path} reports a new event by ${type}`);
  }
};

/** The load balancer of a Service can be moved to another subnet only if there are several. */
const inTwoZones = (object: KubeObject): KubeObject =>
  object.kind === 'AWSCluster'
    ? ({
        ...object,
        spec: { ...(object as AWSCluster).spec, network: { vpc: { availabilityZoneUsageLimit: 2 } } },
      } as KubeObject)
    : object;

/** The API server reports Services from the start, and Windlass creates load balancers for them. */
const reporting = (object: KubeObject): KubeObject => {
  if (object.kind !== 'Cluster') return object;
  const annotations = { 'windlass.dev/cloud-controller': 'Services', 'windlass.dev/report-changes': 'Services' };
  return {
    ...object,
    metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, ...annotations } },
  };
};

/** A cluster with Flatcar machines and workers on Dedicated Hosts. It has add-ons, a Service and routes to pods. */
export const flatcar: Story = {
  name: 'flatcar',
  run: async (laptop) => {
    const { metadata } = await laptop.api.send<{ metadata: { resourceVersion: string } }>('GET', EVENTS);
    await applyAll(laptop, 'examples/flatcar.yaml', (object) => reporting(inTwoZones(onHosts(object))));
    await runs(laptop, 'flatcar', 2);
    await catchUp(laptop, 'flatcar', metadata.resourceVersion);
    await useAddons(laptop, 'flatcar');
    await dropAddons(laptop);
    await liveWithReports(laptop, 'flatcar');
    await liveWithServices(laptop, 'flatcar');
    await liveWithRoutes(laptop, 'flatcar');
    await remove(laptop, 'flatcar');
  },
};
