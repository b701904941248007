/** Rare changes by users and the cloud: additional groups of workers, failure domains, single machines, dates. */
import {
  type AWSCluster,
  kinds,
  type Machine,
  type MachineDeployment,
  type MachineHealthCheck,
} from '../../../shared/kinds/index.ts';
import { withNotice } from '../../../shared/plan/instance-events/notice.ts';
import { ANNOTATION, isControlPlaneMachine, LABEL } from '../../../shared/plan/labels.ts';
import { type Change, isChecked, live, onControlPlane, onDeployment, toggled } from './change.ts';
import { DEPLOYMENT, SECOND_DEPLOYMENT, type World } from './world.ts';

const DAY = 24 * 60 * 60 * 1000;

const copyHealthCheck = ({ objects }: World, matchLabels: Record<string, string>): void => {
  const all = objects.all(kinds.machineHealthCheck);
  const original = all.find(({ metadata }) => metadata.name === 'workers');
  if (!original || all.some(({ metadata }) => metadata.name === SECOND_DEPLOYMENT)) return;
  objects.create<MachineHealthCheck>(kinds.machineHealthCheck, {
    ...original,
    metadata: { namespace: 'default', name: SECOND_DEPLOYMENT },
    spec: { ...original.spec, selector: { matchLabels } },
  });
};

const DOMAINS = [
  ['a', 'b', 'c'],
  ['a', 'b'],
  ['b', 'c', 'd'],
];

export const rareChanges: Record<string, Change> = {
  addDeployment: (world, { roll }) => {
    const all = world.objects.all(kinds.machineDeployment);
    const original = all.find(({ metadata }) => metadata.name === DEPLOYMENT);
    if (!original || all.length > 1) return undefined;
    const { template, ...spec } = original.spec;
    const matchLabels = { [LABEL.deploymentName]: SECOND_DEPLOYMENT };
    const labels = { ...template.metadata?.labels, ...matchLabels };
    world.objects.create<MachineDeployment>(kinds.machineDeployment, {
      apiVersion: original.apiVersion,
      kind: original.kind,
      metadata: { namespace: 'default', name: SECOND_DEPLOYMENT, labels: original.metadata.labels ?? {} },
      spec: {
        ...spec,
        replicas: roll(4),
        selector: { matchLabels },
        template: { ...template, metadata: { ...template.metadata, labels } },
      },
    });
    if (isChecked(world)) copyHealthCheck(world, matchLabels);
    return `there is a second group of workers, ${SECOND_DEPLOYMENT}`;
  },
  removeDeployment: (world) => {
    const all = world.objects.all(kinds.machineDeployment);
    const second = all.find(({ metadata }) => metadata.name === SECOND_DEPLOYMENT && !metadata.deletionTimestamp);
    if (!second) return undefined;
    world.objects.remove(kinds.machineDeployment, SECOND_DEPLOYMENT);
    return `someone deletes ${SECOND_DEPLOYMENT}`;
  },
  moveWorkers: (world, { one }) => {
    const failureDomain = one(['a', 'b']) ?? 'a';
    onDeployment(world, ({ template }) => ({
      template: { ...template, spec: { ...template.spec, failureDomain } },
    }));
    return `the workers of ${world.deployment} are in failure domain ${failureDomain}`;
  },
  changeDomains: (world, { one }) => {
    const domains = one(DOMAINS) ?? [];
    const failureDomains = Object.fromEntries(domains.map((name) => [name, { controlPlane: true }]));
    const [cluster] = world.objects.all(kinds.awsCluster);
    world.objects.put<AWSCluster>(kinds.awsCluster, cluster?.metadata.name ?? '', (current) => ({
      ...current,
      status: { ...current.status, failureDomains } as AWSCluster['status'],
    }));
    return `the failure domains are ${domains.join(', ')}`;
  },
  holdMachine: (world, { one }) => {
    const machine = one(live(world, () => true));
    if (!machine) return undefined;
    world.objects.put<Machine>(kinds.machine, machine.metadata.name, (current) => toggled(current, ANNOTATION.paused));
    return `machine ${machine.metadata.name} is paused, or goes on`;
  },
  expireCertificates: (world, { one }) => {
    const machine = one(live(world, isControlPlaneMachine));
    if (!machine) return undefined;
    const expiry = new Date(world.now.getTime() + 10 * DAY).toISOString();
    world.objects.put<Machine>(kinds.machine, machine.metadata.name, ({ metadata, ...rest }) => ({
      ...rest,
      metadata: { ...metadata, annotations: { ...metadata.annotations, [ANNOTATION.certificatesExpiry]: expiry } },
    }));
    onControlPlane(world, ({ rollout }) => ({ rollout: { ...rollout, before: { certificatesExpiryDays: 30 } } }));
    return `the certificates of machine ${machine.metadata.name} expire in ten days`;
  },
  announceEnd: (world, { one }) => {
    const machine = one(live(world, () => true));
    if (!machine) return undefined;
    const notice = { reason: 'ScheduledMaintenance', at: world.now.toISOString() } as const;
    world.objects.put<Machine>(
      kinds.machine,
      machine.metadata.name,
      (current) => withNotice(current, notice) ?? current,
    );
    return `EC2 announces maintenance of machine ${machine.metadata.name}`;
  },
};
