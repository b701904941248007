import { RefusedError } from '../../../../shared/errors.ts';
import { recordEvent } from '../../../../shared/events/record.ts';
import { type AWSMachine, type Cluster, kinds, type Machine } from '../../../../shared/kinds/index.ts';
import { driftClaim, noDriftClaim } from '../../../../shared/plan/drift/claims.ts';
import { type Notice, withNotice } from '../../../../shared/plan/instance-events/notice.ts';
import { withClaim } from '../../../../shared/plan/status/claimed.ts';
import { findCondition } from '../../../../shared/plan/status/conditions.ts';
import type { Ec2Repairs } from '../../../../shared/providers/aws/api/ec2-repairs.ts';
import { withAppliedTags } from '../../../../shared/providers/aws/plan/drift/applied-tags.ts';
import type { InstanceDrift } from '../../../../shared/providers/aws/plan/drift/difference.ts';
import { planInstanceDrift } from '../../../../shared/providers/aws/plan/drift/instances.ts';
import { referenceProblem } from '../../../../shared/providers/aws/plan/ownership/references.ts';
import { COMPONENT, type DriftDependencies } from '../../../drift/dependencies.ts';
import type { Observation } from '../../../drift/observe.ts';
import type { SweepRun } from '../../../drift/run.ts';
import { tell } from '../../../drift/tell.ts';
import { giveNotice } from '../../../events/notice.ts';
import { makeGroupResolver } from './resolve-groups.ts';

type RepairDependencies = Pick<DriftDependencies, 'objects' | 'clock' | 'repairs' | 'secrets' | 'scopeOf'>;

/** Lets the AWSMachine ask for what was found. */
const adopt = async (
  { objects }: RepairDependencies,
  { known: { infrastructure } }: InstanceDrift,
  change: (spec: AWSMachine['spec']) => Partial<AWSMachine['spec']>,
) => {
  const { namespace = '', name, uid } = infrastructure.metadata;
  await objects.mutate(kinds.awsMachine, { namespace, name }, (current) =>
    current.metadata.uid === uid ? { ...current, spec: { ...current.spec, ...change(current.spec) } } : undefined,
  );
};

type ApplyTags = Extract<NonNullable<InstanceDrift['repair']>, { call: 'ApplyTags' }>;

/** What was applied is on record when all of it was: a run that dies in between does it again. */
const applyTags = async (
  { objects }: RepairDependencies,
  ec2: Ec2Repairs,
  { instanceId, known: { infrastructure } }: InstanceDrift,
  { set, gone, volumeIds, applied }: ApplyTags,
): Promise<void> => {
  if (volumeIds.length > 0 && Object.keys(set).length > 0) await ec2.createTags(volumeIds, set);
  if (gone.length > 0) await ec2.deleteTags([instanceId, ...volumeIds], gone);
  const { namespace = '', name, uid } = infrastructure.metadata;
  await objects.mutate(kinds.awsMachine, { namespace, name }, (current) =>
    current.metadata.uid === uid ? withAppliedTags(current, applied) : undefined,
  );
};

/** Whoever may change spec.additionalSecurityGroups may name any group of the account. */
const refuseForeignGroups = async (ec2: Ec2Repairs, { metadata }: Machine, groupIds: readonly string[]) => {
  const references = groupIds.map((id) => ({ field: 'spec.additionalSecurityGroups', id }));
  const problem = referenceProblem(metadata.namespace ?? '', references, await ec2.ownersOf(groupIds));
  if (problem) throw new RefusedError(problem);
};

/** Does what a drift asks for. True where the cluster has to look at it. */
const repair = async (deps: RepairDependencies, drift: InstanceDrift): Promise<boolean> => {
  const { known, instanceId, repair: asked, message } = drift;
  const { machine } = known;
  const ec2 = async () => deps.repairs(await deps.scopeOf(known.awsCluster));
  switch (asked?.call) {
    case 'StartInstances':
      await tell(deps, machine, 'StartInstance', async () => {
        await (await ec2()).start(instanceId);
        return `Started instance ${instanceId}, because ${message}`;
      });
      return false;
    case 'CreateTags':
      await tell(deps, machine, 'TagInstance', async () => {
        await (await ec2()).createTags([instanceId], asked.tags);
        return `Set tags of instance ${instanceId}, because ${message}`;
      });
      return false;
    case 'ApplyTags':
      await tell(deps, machine, 'TagInstance', async () => {
        await applyTags(deps, await ec2(), drift, asked);
        return `Set tags of instance ${instanceId} and its volumes, because ${message}`;
      });
      return false;
    case 'SetGroups':
      await tell(deps, machine, 'SetSecurityGroups', async () => {
        const port = await ec2();
        await refuseForeignGroups(port, machine, asked.groupIds);
        await Promise.all(asked.interfaceIds.map((id) => port.setGroups(id, asked.groupIds)));
        return `Set the security groups of ${asked.interfaceIds.join(', ')} of instance ${instanceId}, because ${message}`;
      });
      return false;
    case 'SetMetadataOptions':
      await tell(deps, machine, 'SetMetadataOptions', async () => {
        await (await ec2()).setMetadataOptions(instanceId, asked.options);
        return `Set the metadata options of instance ${instanceId}, because ${message}`;
      });
      return false;
    case 'RestoreSecrets':
      await tell(deps, machine, 'RestoreSecret', async () => {
        const port = deps.secrets(await deps.scopeOf(known.awsCluster));
        await Promise.all(asked.names.map((name) => port.restore(name)));
        return `Restored ${asked.names.join(', ')}, because ${message}`;
      });
      return false;
    case 'AdoptTags':
      await adopt(deps, drift, () => ({ additionalTags: asked.additionalTags }));
      return false;
    case 'AdoptGroups':
      await adopt(deps, drift, ({ additionalSecurityGroups: own = [] }) => ({
        additionalSecurityGroups: [...own, ...asked.groupIds.map((id) => ({ id }))],
      }));
      return false;
    case 'ReplaceMachine':
      return giveNotice(deps, machine, replacement(drift, deps.clock.now()));
    default:
      return false;
  }
};

/** Says on the Machine what was found, or that nothing is any more. An event tells of news only. */
const note = async (deps: RepairDependencies, machine: Machine, drifts: readonly InstanceDrift[]): Promise<void> => {
  const { objects, clock } = deps;
  const claim = drifts.length > 0 ? driftClaim(drifts) : noDriftClaim();
  const before = findCondition(machine.status?.conditions, claim.type);
  if (before?.status === claim.status && before.message === (claim.message ?? '')) return;
  if (drifts.length === 0 && !before) return;
  if (drifts.length > 0) {
    const { reason, message = '' } = claim;
    await recordEvent(objects, { regarding: machine, type: 'Warning', reason, message, component: COMPONENT }, clock);
  }
  const { namespace = '', name, uid } = machine.metadata;
  await objects.mutate(kinds.machine, { namespace, name }, (current) =>
    current.metadata.uid === uid ? withClaim(current, claim, clock.now()) : undefined,
  );
};

/** The notice by which the owner replaces a machine. */
const replacement = ({ message: what }: Pick<InstanceDrift, 'message'>, now: Date): Notice => ({
  reason: 'Drift',
  at: now.toISOString(),
  what,
});

/** Finds what differs between instances and machines, does what the policies ask for, and returns the clusters that have to look. */
export const repairInstances = async (
  deps: RepairDependencies,
  { machines, instances, deletedSecrets }: Pick<Observation, 'machines' | 'instances' | 'deletedSecrets'>,
  run: SweepRun,
): Promise<Cluster[]> => {
  const resolve = makeGroupResolver(deps);
  const found = await run.each('compare its instance', machines, async (known) => {
    const drifts = planInstanceDrift([await resolve(known)], instances, deletedSecrets);
    await note(deps, known.machine, drifts);
    return drifts.map((drift) => ({ ...known, drift }));
  });
  const drifts = found.flat();
  const replaced = drifts.filter(
    ({ machine, drift }) =>
      drift.repair?.call === 'ReplaceMachine' && withNotice(machine, replacement(drift, deps.clock.now())),
  );
  await run.pledge(replaced.map(({ cluster }) => cluster));
  const news = await run.each('repair its instance', drifts, async ({ cluster, drift }) =>
    (await repair(deps, drift)) ? [cluster] : [],
  );
  return news.flat();
};
