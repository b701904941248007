import { RefusedError, TransientError } from '../../../../shared/errors.ts';
import { type AWSMachine, kinds, type Machine } from '../../../../shared/kinds/index.ts';
import { INSTALL_ANNOTATION } from '../../../../shared/kinds/rules/aws/wishes.ts';
import { keyOf } from '../../../../shared/kube-api/object.ts';
import { withObservation } from '../../../../shared/plan/machines/status.ts';
import { withLateSecrets } from '../../../../shared/providers/aws/plan/delivery/late-secrets.ts';
import {
  type Delivery,
  type DeliveryMode,
  isParameter,
  planDelivery,
  prefixFor,
  secretPrefix,
} from '../../../../shared/providers/aws/plan/delivery/plan.ts';
import { observed } from '../../../../shared/providers/aws/plan/instance-facts.ts';
import { withInstance } from '../../../../shared/providers/aws/plan/launch/instance.ts';
import { readRecordedLaunch, unansweredSince } from '../../../../shared/providers/aws/plan/launch/recorded.ts';
import { instanceTags } from '../../../../shared/providers/aws/plan/launch/request.ts';
import { identityOf } from '../../../../shared/providers/aws/plan/ownership/instance.ts';
import type { MachineInput, MachineRef } from '../../../../shared/work/payloads.ts';
import { isLaunchHeld } from '../../../machine/launch-held.ts';
import { machineKey } from '../../../machine/read-machine.ts';
import { type AwsMachineSnapshot, readAwsMachine } from '../read-machine.ts';
import { readBootstrapData } from './bootstrap-data.ts';
import type { LaunchObjects } from './decide.ts';
import { type InstanceDependencies, inScope, type ScopedInstanceDependencies } from './dependencies.ts';
import { findByUid, findMadeElsewhere } from './find-made-elsewhere.ts';
import { deliverObject, type IgnitionDelivery, planIgnition } from './ignition.ts';
import type { Instance } from './ownership.ts';
import { recorder } from './reasons.ts';
import { recordLaunch } from './recorded-launch.ts';
import { runSomewhere } from './run.ts';

/**
 * Launches the machine's instance once. Everything is recorded before it is created: first the names of the secrets,
 * then the request. The client token makes a second call return the instance of the first.
 */
export const launchInstance =
  (scoped: ScopedInstanceDependencies) =>
  async ({ machine: ref }: MachineInput) => {
    const snapshot = await readAwsMachine(scoped.objects, ref);
    if (!snapshot || isHeldBack(snapshot)) return {};
    const { machine, awsMachine: infrastructure, awsCluster } = snapshot;
    if (!infrastructure || !awsCluster) throw new TransientError('the AWSMachine or the AWSCluster does not exist yet');
    if (infrastructure.spec.instanceID) return {};
    const deps = await inScope(scoped, snapshot);
    if (await takeOver(deps, ref, machine, infrastructure)) return {};
    // Checks that may refuse the launch come first: nothing is recorded for data that no instance can use.
    const objects = { machine, infrastructure, awsCluster };
    const prefix = secretPrefixOf(deps, infrastructure);
    const planned = await plan(deps, objects, prefix);
    const decided = await recordLaunch(deps, objects, { isFirst: true });
    if (!decided) throw new TransientError('no launch was decided');
    const { delivery, named } = await handOver(deps, objects, planned, { prefix, decided: decided.infrastructure });
    const userData = await deliverObject(deps, delivery, infrastructure);
    const recorded = { ...objects, infrastructure: named };
    const instance = await runSomewhere(deps, recorded, decided, userData);
    if (!instance?.InstanceId) throw new TransientError('RunInstances returned no instance');
    const message = `Created ${instance.InstanceType ?? infrastructure.spec.instanceType} instance ${instance.InstanceId} in ${instance.Placement?.AvailabilityZone}`;
    // The event comes first, because a run that finds the instance recorded must not report it again.
    await recorder(deps).normal(infrastructure, 'SuccessfulCreate', message);
    await record(deps, ref, instance, { infrastructure: named, isLaunch: true });
    return {};
  };

const isHeldBack = (snapshot: AwsMachineSnapshot): boolean =>
  snapshot.machine.metadata.deletionTimestamp !== undefined || isLaunchHeld(snapshot, snapshot.awsMachine);

/** Takes over an instance that the machine already has but that is not recorded here. True if there is one. */
const takeOver = async (
  deps: InstanceDependencies,
  ref: MachineRef,
  machine: Machine,
  infrastructure: AWSMachine,
): Promise<boolean> => {
  const launch = readRecordedLaunch(infrastructure);
  if (launch && !launch.isUnproven) return false;
  const [found, ...others] = launch
    ? await findByUid(deps, machine)
    : await findMadeElsewhere(deps, machine, infrastructure);
  if (!found) return false;
  if (others.length > 0) {
    const ids = [found, ...others].map(({ InstanceId }) => InstanceId).join(', ');
    throw new RefusedError(`spec.providerID: more than one instance has the tags of this machine: ${ids}; name one`);
  }
  const message = `Took over instance ${found.InstanceId}, which has the tags of this machine`;
  await recorder(deps).normal(infrastructure, 'InstanceTakenOver', message);
  await record(deps, ref, found, { machine, infrastructure });
  return true;
};

const plan = async (
  deps: InstanceDependencies,
  { machine, infrastructure, awsCluster }: LaunchObjects,
  secretPrefix: string,
): Promise<IgnitionDelivery> => {
  const { body, format } = await readBootstrapData(deps, machine);
  const { uncompressedUserData } = infrastructure.spec;
  if (format === 'ignition') return planIgnition(body, machine, infrastructure, awsCluster);
  return planDelivery({
    body,
    mode: modeOf(infrastructure),
    secretPrefix,
    region: deps.region,
    recordedCount: infrastructure.spec.cloudInit?.secretCount,
    withoutInclude: infrastructure.metadata.annotations?.[INSTALL_ANNOTATION] === 'true',
    compress: uncompressedUserData === undefined ? undefined : !uncompressedUserData,
  });
};

/** Once secrets are recorded they stay in their store, even if the backend is changed. */
const modeOf = ({ spec: { cloudInit = {} } }: AWSMachine): DeliveryMode => {
  if (cloudInit.insecureSkipSecretsManager) return 'plain';
  const isParameters = cloudInit.secretCount
    ? isParameter(cloudInit.secretPrefix ?? '')
    : cloudInit.secureSecretsBackend === 'ssm-parameter-store';
  return isParameters ? 'ssm-parameter-store' : 'secrets-manager';
};

/**
 * The prefix of the machine's secrets: the recorded one, or a new one that cannot be guessed. Instance roles may read
 * any secret with a name of this form, so only this machine may know the name.
 */
const secretPrefixOf = ({ random }: InstanceDependencies, { spec }: AWSMachine): string =>
  spec.cloudInit?.secretPrefix ?? secretPrefix(random.uuid());

/** A launch that was decided and recorded, and the prefix for its secrets. */
interface Decided {
  prefix: string;
  decided: AWSMachine;
}

/** Whether an earlier run may have ended before its request to store the data was answered. */
const mayBeStoring = (infrastructure: AWSMachine): boolean =>
  infrastructure.spec.cloudInit?.secretCount !== undefined &&
  unansweredSince(readRecordedLaunch(infrastructure)) !== undefined;

/** Records the names before a secret exists. Returns the recorded prefix, and the machine with it. */
const recordNames = async (
  { objects, clock }: InstanceDependencies,
  infrastructure: AWSMachine,
  { secrets }: Delivery,
  { prefix, decided }: Decided,
): Promise<{ recorded: string; named: AWSMachine }> => {
  if (secrets.length === 0) return { recorded: prefix, named: decided };
  const names = { secretPrefix: prefixFor(modeOf(infrastructure), prefix), secretCount: secrets.length };
  const isRepeated = mayBeStoring(infrastructure);
  const change = (current: AWSMachine): AWSMachine | undefined => {
    const { cloudInit } = current.spec;
    const isOurs = (cloudInit?.secretPrefix ?? names.secretPrefix) === names.secretPrefix;
    if (!isOurs) return undefined;
    const named = { ...current, spec: { ...current.spec, cloudInit: { ...cloudInit, ...names } } };
    return isRepeated ? withLateSecrets(named, clock.now().toISOString()) : named;
  };
  const written = await objects.mutate(kinds.awsMachine, keyOf(infrastructure), change, { from: decided });
  const recorded = written?.spec.cloudInit?.secretPrefix ?? names.secretPrefix;
  return { recorded: recorded === names.secretPrefix ? prefix : recorded, named: written ?? decided };
};

/** Stores the bootstrap data under recorded names: those of this run, or those of another run that was faster. */
const handOver = async (
  deps: InstanceDependencies,
  objects: LaunchObjects,
  planned: IgnitionDelivery,
  decided: Decided,
): Promise<{ delivery: IgnitionDelivery; named: AWSMachine }> => {
  const { recorded, named } = await recordNames(deps, objects.infrastructure, planned, decided);
  const delivery = recorded === decided.prefix ? planned : await plan(deps, objects, recorded);
  await deliver(deps, delivery, objects);
  return { delivery, named };
};

/** Stores the bootstrap data where the machine will fetch it. */
const deliver = async (
  deps: InstanceDependencies,
  delivery: Delivery,
  { machine, infrastructure, awsCluster }: LaunchObjects,
): Promise<void> => {
  if (delivery.secrets.length === 0) return;
  const owner = identityOf(machine);
  const tags = instanceTags({ cluster: owner.cluster, machine, infrastructure, awsCluster });
  await Promise.all(
    delivery.secrets.map(({ name, data }, index) =>
      // With the token, a repeated create has the effect of one; it must have 32 to 64 characters.
      deps.bootstrapSecrets.create({ name, data, tags, owner, token: `${machine.metadata.uid}-${index}` }),
    ),
  );
  const message = `Stored the bootstrap data as ${delivery.secrets.map(({ name }) => name).join(', ')}`;
  await recorder(deps).normal(infrastructure, 'SuccessfulCreateBootstrapSecret', message);
};

interface Known {
  machine?: Machine;
  infrastructure: AWSMachine;
  /** The instance is in the state that RunInstances returned: anything else that is recorded about it is newer. */
  isLaunch?: boolean;
}

/**
 * Writes the instance's data to the AWSMachine and to the Machine, based on their last known state. Only the Machine is
 * read again, because the pass that started the execution may have written it since.
 */
export const record = async (
  { objects, clock }: InstanceDependencies,
  ref: MachineRef,
  instance: Instance,
  known: Known,
): Promise<AWSMachine | undefined> => {
  const now = clock.now();
  const { isLaunch = false } = known;
  const { uid } = known.infrastructure.metadata;
  // Another object with the same name is not related to this instance.
  const change = (current: AWSMachine) => {
    if (current.metadata.uid !== uid) return undefined;
    return isLaunch && current.spec.instanceID === instance.InstanceId
      ? undefined
      : withInstance(current, instance, now);
  };
  const from = known.infrastructure;
  const infrastructure = await objects.mutate(kinds.awsMachine, keyOf(from), change, { from });
  if (!infrastructure || infrastructure.metadata.uid !== uid) return undefined;
  const facts = observed(infrastructure);
  const observe = (current: Machine) => {
    if (current.metadata.uid !== ref.uid) return undefined;
    const isKnown = isLaunch && current.spec.providerID === infrastructure.spec.providerID;
    return isKnown ? undefined : withObservation(current, facts, now);
  };
  await objects.mutate(kinds.machine, machineKey(ref), observe, known.machine ? { from: known.machine } : {});
  return infrastructure;
};
