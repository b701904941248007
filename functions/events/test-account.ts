/** For tests: a cluster in memory with running machines, and an EC2 with the given state. */
import { type AWSMachine, type Cluster, KINDS, kinds, type Machine } from '../../shared/kinds/index.ts';
import type { OwnerReference } from '../../shared/kube-api/object.ts';
import { createRegistry } from '../../shared/kube-api/registry/create-registry.ts';
import { createMemoryStorage } from '../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../shared/kube-api/storage/object-client.ts';
import { silentLog } from '../../shared/log.ts';
import { withObservation } from '../../shared/plan/machines/status.ts';
import { observed } from '../../shared/providers/aws/plan/instance-facts.ts';
import { withInstance } from '../../shared/providers/aws/plan/launch/instance.ts';
import type { AwsScope } from '../../shared/providers/aws/scope.ts';
import { systemRandom } from '../../shared/random.ts';
import { takenOverGroup } from '../../shared/store/indexes/group-index.ts';
import { createMemoryRecords } from '../../shared/store/records/memory-records.ts';
import { withMemory } from '../../shared/store/records/remembering-client.ts';
import { testClock } from '../../shared/store/test-table.ts';
import { createMemoryPledges } from '../../shared/store/work/memory-pledges.ts';
import { NO_PASSES } from '../../shared/store/work/no-work.ts';
import { controllerScopeOf } from '../providers/aws/aws-scope.ts';
import { makeEventPort } from '../providers/aws/events/port.ts';
import type { EventDependencies } from './dependencies.ts';
import { createFindOwners } from './find-owners.ts';
import { handleEvent } from './handle.ts';

export const NAMESPACE = 'default';
const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io';
const CORE = 'cluster.x-k8s.io/v1beta2';

interface Given {
  namespace?: string;
  owner?: OwnerReference;
  annotations?: Record<string, string>;
  labels?: Record<string, string>;
}

export const makeAccount = async () => {
  const clock = testClock('2026-11-20T12:00:00Z');
  const storage = createMemoryStorage();
  const findOwners = createFindOwners({ storage, log: silentLog });
  const registry = createRegistry({ resources: KINDS, storage, clock, random: systemRandom });
  const records = createMemoryRecords();
  const objects = withMemory(createObjectClient(registry), records);
  const touched: string[] = [];
  const pledges = createMemoryPledges({ clock });
  const asked: string[] = [];
  /** The states that EC2 reports. */
  const states = new Map<string, string>();
  const addCluster = async (namespace: string) => {
    const cluster = {
      apiVersion: CORE,
      kind: 'Cluster',
      metadata: { namespace, name: 'red' },
      spec: { infrastructureRef: { apiGroup: INFRASTRUCTURE, kind: 'AWSCluster', name: 'red' } },
    } as Cluster;
    await objects.ensure(kinds.cluster, cluster);
  };
  await addCluster(NAMESPACE);

  /** Adds a Machine `name` whose instance `i-<name>` was seen running. */
  const addMachine = async (
    name: string,
    { namespace = NAMESPACE, owner, annotations, labels }: Given = {},
  ): Promise<void> => {
    const key = { namespace, name };
    const { object: machine } = await objects.ensure(kinds.machine, {
      apiVersion: CORE,
      kind: 'Machine',
      metadata: { ...key, annotations, labels, ...(owner ? { ownerReferences: [owner] } : {}) },
      spec: {
        clusterName: 'red',
        bootstrap: { dataSecretName: name },
        infrastructureRef: { apiGroup: INFRASTRUCTURE, kind: 'AWSMachine', name },
      },
    } as Machine);
    const ownerReferences = [{ apiVersion: CORE, kind: 'Machine', name, uid: machine.metadata.uid ?? '' }];
    await objects.ensure(kinds.awsMachine, {
      apiVersion: `${INFRASTRUCTURE}/v1beta2`,
      kind: 'AWSMachine',
      metadata: { ...key, ownerReferences },
      spec: { instanceType: 't3.large' },
    } as AWSMachine);
    const instance = {
      InstanceId: `i-${name}`,
      State: { Name: 'running' },
      Placement: { AvailabilityZone: 'a' },
    } as const;
    const now = clock.now();
    const infrastructure = await objects.mutate(kinds.awsMachine, key, (current) =>
      withInstance(current, instance, now),
    );
    await objects.mutate(kinds.machine, key, (current) =>
      withObservation(current, infrastructure ? observed(infrastructure) : {}, now),
    );
  };

  /** `instead`: replacements for parts of the account. */
  const handle = (event: unknown, instead: Partial<EventDependencies> & { answered?: () => Promise<void> } = {}) => {
    const fleet = ({ region }: AwsScope) => ({
      statesOf: async (ids: readonly string[]) => {
        asked.push(`${region}: ${ids.join()}`);
        const answer = new Map([...states].filter(([id]) => ids.includes(id)));
        await answered?.();
        return answer;
      },
    });
    const { answered, ...dependencies } = instead;
    const port = { objects: instead.objects ?? objects, clock, scopeOf: controllerScopeOf, fleet };
    return handleEvent(
      {
        objects,
        clock,
        log: silentLog,
        findByInstance: async (id) =>
          (await objects.list(kinds.awsMachine))
            .filter(({ spec }) => spec.instanceID === id)
            .map(({ metadata: { namespace = '', name } }) => ({ namespace, name })),
        findByGroup: async (group) => {
          const namespaces = new Set(
            (await objects.list(kinds.awsMachinePool)).map((pool) => pool.metadata.namespace ?? ''),
          );
          const owners = (await Promise.all([...namespaces].map((namespace) => records.list(namespace)))).flat();
          const entries = (await records.read(owners)).map((record) => record.entries);
          return owners.filter((_, index) => takenOverGroup(entries[index] ?? {}) === group);
        },
        findOwners,
        providers: { aws: makeEventPort(port) },
        touch: async ({ name }) => void touched.push(name),
        ...{ pledges, work: NO_PASSES },
        ...dependencies,
      },
      event,
    );
  };
  const machine = (name: string) => objects.get(kinds.machine, { namespace: NAMESPACE, name });
  const infrastructure = (name: string) => objects.get(kinds.awsMachine, { namespace: NAMESPACE, name });
  const events = async () =>
    (await objects.list(kinds.event, NAMESPACE)).map(({ reason, message, count }) => ({ reason, message, count }));
  return {
    objects,
    clock,
    pledges,
    touched,
    asked,
    states,
    addCluster,
    addMachine,
    handle,
    machine,
    infrastructure,
    events,
  };
};

export type TestAccount = Awaited<ReturnType<typeof makeAccount>>;

const envelope = { version: '0', id: 'e', account: '000000000000', region: 'us-east-1', time: '2026-11-20T12:00:00Z' };

export const stateEvent = (instanceId: string, state: string) => ({
  ...envelope,
  source: 'aws.ec2',
  'detail-type': 'EC2 Instance State-change Notification',
  resources: [`arn:aws:ec2:us-east-1:000000000000:instance/${instanceId}`],
  detail: { 'instance-id': instanceId, state },
});

export const spotEvent = (instanceId: string) => ({
  ...envelope,
  source: 'aws.ec2',
  'detail-type': 'EC2 Spot Instance Interruption Warning',
  detail: { 'instance-id': instanceId, 'instance-action': 'terminate' },
});

export const healthEvent = (instanceIds: readonly string[], changes: object = {}) => ({
  ...envelope,
  source: 'aws.health',
  'detail-type': 'AWS Health Event',
  detail: {
    eventArn: 'arn:aws:health:us-east-1::event/EC2/1',
    service: 'EC2',
    eventTypeCode: 'AWS_EC2_INSTANCE_RETIREMENT_SCHEDULED',
    eventTypeCategory: 'scheduledChange',
    startTime: 'Tue, 01 Dec 2026 15:00:00 GMT',
    affectedEntities: instanceIds.map((entityValue) => ({ entityValue })),
    ...changes,
  },
});
