import { awsCodeOf } from '../../../../shared/aws/errors.ts';
import { type AWSMachinePool, kinds } from '../../../../shared/kinds/index.ts';
import type { DesiredTemplate, PoolAction } from '../../../../shared/providers/aws/machine-pool/model.ts';
import { differsFromTheirs, type ObservedPool } from '../../../../shared/providers/aws/machine-pool/plan.ts';
import { withRefresh, withTemplate } from '../../../../shared/providers/aws/machine-pool/record.ts';
import type { PoolDependencies } from './dependencies.ts';
import { poolRecorder } from './reasons.ts';

interface Acting {
  deps: PoolDependencies;
  awsPool: AWSMachinePool;
  observed: ObservedPool;
}

/** What a create answers when another run was first; the next look finds what that one made. */
const EXISTING: readonly (string | undefined)[] = [
  'AlreadyExists',
  'InvalidLaunchTemplateName.AlreadyExists',
  'InstanceRefreshInProgress',
];

/** Carries out one action, records what came of it, and reports it. What another run was faster with is success. */
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
      const { id, latestVersion: version } = await templates.create(action.template);
      await remember(acting, { ...action.template, id, version }, action.template.data);
      return poolRecorder(deps).normal(awsPool, 'SuccessfulCreate', `Created launch template ${action.template.name}`);
    }
    case 'create-version': {
      const version = await templates.createVersion(action.templateId, action.template);
      await remember(acting, { ...action.template, id: action.templateId, version }, action.template.data);
      return tell(`Created version ${version} of launch template ${action.template.name}`);
    }
    case 'delete-versions':
      return templates.deleteVersions(action.templateId, action.versions);
    case 'create-group':
      await groups.create(action.group, templateId);
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
      return groups.tag(action.name, action.tags);
    case 'untag-group':
      return groups.untag(action.name, action.keys);
    case 'suspend':
      return groups.suspend(action.name, action.processes);
    case 'resume':
      return groups.resume(action.name, action.processes);
    case 'put-hook':
      return groups.putHook(action.name, action.hook);
    case 'delete-hook':
      return groups.deleteHook(action.name, action.hook);
    case 'cancel-refresh':
      await groups.cancelRefresh(action.name);
      return poolRecorder(deps).normal(
        awsPool,
        'InstanceRefreshCancelled',
        'Cancelled the instance refresh: the template has changed again',
      );
    case 'start-refresh': {
      const id = await groups.startRefresh(action.name, action.strategy, action.preferences);
      const shape = acting.observed.latest?.shape ?? '';
      await deps.objects.mutate(kinds.awsMachinePool, keyOf(awsPool), (current) => withRefresh(current, { id, shape }));
      return poolRecorder(deps).normal(awsPool, 'InstanceRefreshStarted', `Started instance refresh ${id}`);
    }
  }
};

const keyOf = ({ metadata }: AWSMachinePool) => ({ namespace: metadata.namespace ?? '', name: metadata.name });

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
