import { awsCodeOf, madeNothing } from '../../../../shared/aws/errors.ts';
import { MissingReferenceError } from '../../../../shared/errors.ts';
import { type AWSMachinePool, kinds } from '../../../../shared/kinds/index.ts';
import { keyOf } from '../../../../shared/kube-api/object.ts';
import { readGroupMemory, withGroupMemory } from '../../../../shared/providers/aws/machine-pool/memory.ts';
import type { DesiredTemplate, PoolAction } from '../../../../shared/providers/aws/machine-pool/model.ts';
import { differsFromTheirs, type ObservedPool } from '../../../../shared/providers/aws/machine-pool/plan.ts';
import { templateToken, withRefresh, withTemplate } from '../../../../shared/providers/aws/machine-pool/record.ts';
import type { PoolDependencies } from './dependencies.ts';
import { poolRecorder } from './reasons.ts';

interface Acting {
  deps: PoolDependencies;
  awsPool: AWSMachinePool;
  observed: ObservedPool;
}

/** The errors of a creation if another run was faster; the next check finds that run's resource. */
const EXISTING: readonly (string | undefined)[] = [
  'AlreadyExists',
  'InvalidLaunchTemplateName.AlreadyExists',
  'InstanceRefreshInProgress',
];

/**
 * Carries out one action, records its result, and reports it. An action that another run has already completed counts
 * as success.
 */
export const perform = async (acting: Acting, action: PoolAction): Promise<void> => {
  try {
    await act(acting, action);
  } catch (error) {
    if (!EXISTING.includes(awsCodeOf(error))) throw error;
  }
};

const act = async (acting: Acting, action: PoolAction): Promise<void> => {
  const { deps, awsPool, observed } = acting;
  const { groups, templates } = deps;
  const templateId = observed.template?.id ?? '';
  const tell = (message: string) => poolRecorder(deps).normal(awsPool, 'SuccessfulUpdate', message);
  switch (action.do) {
    case 'create-template': {
      const token = templateToken(awsPool, action.template);
      const { id, latestVersion: version } = await requested(acting, 'templateRequestedAt', () =>
        templates.create(action.template, token),
      );
      await remember(acting, { ...action.template, id, version }, action.template.data);
      return poolRecorder(deps).normal(awsPool, 'SuccessfulCreate', `Created launch template ${action.template.name}`);
    }
    case 'create-version': {
      const version = await templates.createVersion(
        action.templateId,
        action.template,
        templateToken(awsPool, action.template, action.templateId),
      );
      await remember(acting, { ...action.template, id: action.templateId, version }, action.template.data);
      return tell(`Created version ${version} of launch template ${action.template.name}`);
    }
    case 'delete-versions':
      await templates.deleteVersions(action.templateId, action.versions);
      return tell(`Deleted version ${action.versions.join(', ')} of launch template ${observed.name} (${templateId})`);
    case 'create-group':
      await requested(acting, 'createdAt', () => groups.create(action.group, templateId));
      return poolRecorder(deps).normal(awsPool, 'SuccessfulCreate', `Created Auto Scaling group ${action.group.name}`);
    case 'update-group':
      await groups.update(action.group, templateId);
      return tell(`Changed Auto Scaling group ${action.group.name}: ${action.because.join(', ')}`);
    default:
      return change(acting, action);
  }
};

type Rest = Exclude<
  PoolAction,
  { do: 'create-template' | 'create-version' | 'delete-versions' | 'create-group' | 'update-group' }
>;

const change = async (acting: Acting, action: Rest): Promise<void> => {
  const { deps, awsPool } = acting;
  const { groups } = deps;
  switch (action.do) {
    case 'tag-group':
    case 'untag-group':
    case 'suspend':
    case 'resume':
    case 'put-hook':
    case 'delete-hook':
    case 'put-warm-pool':
    case 'delete-warm-pool':
    case 'end-waits': {
      const done = await adjust(deps, action);
      if (done === undefined) return;
      const message = `${done} Auto Scaling group ${action.name}${reasonOf(action)}`;
      return poolRecorder(deps).normal(awsPool, 'SuccessfulUpdate', message);
    }
    case 'cancel-refresh':
      await groups.cancelRefresh(action.name);
      return poolRecorder(deps).normal(
        awsPool,
        'InstanceRefreshCancelled',
        `Cancelled the instance refresh of Auto Scaling group ${action.name}: the template has changed again`,
      );
    case 'record-refresh':
      return recordRefresh(acting, action.id);
    case 'start-refresh': {
      const id = await groups.startRefresh(action.name, action.strategy, action.preferences);
      await recordRefresh(acting, id);
      return poolRecorder(deps).normal(
        awsPool,
        'InstanceRefreshStarted',
        `Started instance refresh ${id} of Auto Scaling group ${action.name}`,
      );
    }
  }
};

type Adjustment = Extract<
  PoolAction,
  {
    do:
      | 'tag-group'
      | 'untag-group'
      | 'suspend'
      | 'resume'
      | 'put-hook'
      | 'delete-hook'
      | 'put-warm-pool'
      | 'delete-warm-pool'
      | 'end-waits';
  }
>;

const reasonOf = (action: Adjustment): string => (action.do === 'delete-warm-pool' ? `: ${action.because}` : '');

/**
 * Changes parts of a group, and returns a report; the name of the group completes the sentence. Undefined if nothing
 * was changed.
 */
const adjust = async ({ groups }: PoolDependencies, action: Adjustment): Promise<string | undefined> => {
  switch (action.do) {
    case 'tag-group':
      await groups.tag(action.name, action.tags);
      return `Set tags ${Object.keys(action.tags).join(', ')} of`;
    case 'untag-group':
      await groups.untag(action.name, action.keys);
      return `Removed tags ${action.keys.join(', ')} from`;
    case 'suspend':
      await groups.suspend(action.name, action.processes);
      return `Suspended ${action.processes.join(', ')} of`;
    case 'resume':
      await groups.resume(action.name, action.processes);
      return `Resumed ${action.processes.join(', ')} of`;
    case 'put-hook':
      await groups.putHook(action.name, action.hook);
      return `Set lifecycle hook ${action.hook.LifecycleHookName} of`;
    case 'delete-hook':
      await groups.deleteHook(action.name, action.hook);
      return `Deleted lifecycle hook ${action.hook} of`;
    case 'put-warm-pool':
      await groups.putWarmPool(action.name, action.warm);
      return `Set the warm pool (${action.warm.state}, at least ${action.warm.minSize}) of`;
    case 'delete-warm-pool':
      return (await groups.deleteWarmPool(action.name)) ? 'Deleted the warm pool of' : undefined;
    case 'end-waits':
      for (const id of action.instances) await groups.endWait(action.name, action.hook, id);
      return `Completed lifecycle hook ${action.hook} for ${action.instances.join(', ')} of`;
  }
};

/**
 * Requests the group or the template, after recording when: what AWS does not show yet must not be taken for absent
 * when the pool is deleted. A refusal says nothing about an earlier request, whose time is then restored.
 */
const requested = async <T>(
  { deps, awsPool }: Acting,
  entry: 'createdAt' | 'templateRequestedAt',
  create: () => Promise<T>,
): Promise<T> => {
  const { objects, clock } = deps;
  const at = clock.now().toISOString();
  let before: string | undefined;
  const stored = await objects.mutate(kinds.awsMachinePool, keyOf(awsPool), (current) => {
    before = readGroupMemory(current)[entry];
    return current.metadata.deletionTimestamp ? undefined : withGroupMemory(current, { [entry]: at });
  });
  if (!stored || stored.metadata.deletionTimestamp)
    throw new MissingReferenceError(`AWSMachinePool ${awsPool.metadata.name} is deleted`);
  try {
    return await create();
  } catch (error) {
    if (madeNothing(error) && !EXISTING.includes(awsCodeOf(error)))
      await objects.mutate(kinds.awsMachinePool, keyOf(awsPool), (current) =>
        readGroupMemory(current)[entry] === at ? withGroupMemory(current, { [entry]: before }) : undefined,
      );
    throw error;
  }
};

const recordRefresh = async ({ deps, awsPool, observed }: Acting, id: string): Promise<void> => {
  const shape = observed.latest?.shape ?? '';
  await deps.objects.mutate(kinds.awsMachinePool, keyOf(awsPool), (current) => withRefresh(current, { id, shape }));
};

const remember = async (
  { deps, awsPool, observed }: Acting,
  { id, version, digest, shape }: { id: string; version: number; digest: string; shape: string },
  data: DesiredTemplate['data'],
): Promise<void> => {
  const isTakenOver = observed.theirs !== undefined && !differsFromTheirs(data, observed.theirs);
  const before = isTakenOver ? 1 : version;
  const since = observed.latest?.shape === shape ? observed.latest.since : before;
  await deps.objects.mutate(kinds.awsMachinePool, keyOf(awsPool), (current) =>
    withTemplate(current, { id, version, digest, shape, since }),
  );
};
