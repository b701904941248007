import { interruptSpot } from '../ec2/instances/spot.ts';
import { lifeOf } from '../ec2/instances/view.ts';
import type { Instance } from '../ec2/records.ts';
import type { Ec2 } from '../ec2/state.ts';
import { AwsFault } from '../wire/fault.ts';
import type { Experiment, ExperimentTemplate, Fis } from './state.ts';
import { durationOf, type FisTarget } from './template.ts';

const isTagged = ({ tags }: Instance, wanted: Readonly<Record<string, string>>): boolean =>
  Object.entries(wanted).every(([key, value]) => tags.get(key) === value);

/** The running instances of a target; if only a part is selected, those that were launched first. */
const instancesOf = (ec2: Ec2, { resourceArns, resourceTags, selectionMode }: FisTarget): Instance[] => {
  const ids = resourceArns?.map((arn) => arn.split('/').at(-1));
  const found = ec2.instances
    .all()
    .filter(({ id }) => ids === undefined || ids.includes(id))
    .filter((instance) => isTagged(instance, resourceTags ?? {}))
    .filter((instance) => instance.isSpot && lifeOf(ec2, instance) === 'running');
  const [, mode, number] = /^(\w+)\((\d+)\)$/.exec(selectionMode) ?? [];
  if (mode === 'COUNT') return found.slice(0, Number(number));
  return mode === 'PERCENT' ? found.slice(0, Math.floor((found.length * Number(number)) / 100)) : found;
};

const outcome = ({ ec2 }: Fis, { actions, targets }: ExperimentTemplate): Experiment['state'] => {
  const chosen = Object.values(actions).map((action) => {
    const target = targets[action.targets.SpotInstances];
    return { milliseconds: durationOf(action), instances: target ? instancesOf(ec2, target) : [] };
  });
  if (chosen.some(({ instances }) => instances.length === 0))
    return { status: 'failed', reason: 'Target resolution returned empty set' };
  for (const { instances, milliseconds } of chosen)
    for (const instance of instances) interruptSpot(ec2, instance, milliseconds);
  return { status: 'completed', reason: 'Experiment completed' };
};

/** Starts an experiment, which is completed immediately: the interruptions themselves follow on the clock. */
export const startExperiment = (fis: Fis, templateId: string): Experiment => {
  const template = fis.templates.get(templateId);
  if (!template)
    throw new AwsFault('ResourceNotFoundException', `Experiment template ${templateId} does not exist`, 404);
  const id = `EXP${fis.place.random.uuid().replaceAll('-', '').slice(0, 18)}`;
  const experiment = { id, templateId, state: outcome(fis, template), startedAt: fis.place.clock.now().getTime() };
  fis.experiments.set(id, experiment);
  return experiment;
};
