import { createLogUpdate } from 'log-update';
import { type Clock, systemClock } from '../../../shared/clock.ts';
import { type Context, type ContextOptions, openContext } from '../api/kubeconfig-client.ts';
import { type ClusterObjects, readObjects } from '../describe/objects.ts';
import { problemsOf } from '../describe/problems.ts';
import { treeOf } from '../describe/rows.ts';
import { makeShowConditions } from '../describe/show-conditions.ts';
import { type Description, describeText } from '../describe/text.ts';
import { paint } from '../progress/paint.ts';
import { untilInterrupted } from './interrupt.ts';

export interface DescribeOptions extends ContextOptions {
  watch: boolean;
  showConditions?: string;
  events: number;
  output: string;
}

/** Between two looks of --watch. Each look is about ten requests, which are paid for where Windlass is deployed. */
const LOOK_MILLISECONDS = 2000;

const endpointOf = ({ cluster }: ClusterObjects): string => {
  const { host, port } = cluster.spec.controlPlaneEndpoint ?? {};
  return host ? `https://${host}:${port}` : '';
};

const descriptionOf = (objects: ClusterObjects): Description => ({
  namespace: objects.cluster.metadata.namespace ?? '',
  endpoint: endpointOf(objects),
  problems: problemsOf(objects),
  tree: treeOf(objects),
  events: objects.events,
});

const missing = ({ namespace }: Context, name: string): Error =>
  new Error(`there is no Cluster ${name} in namespace ${namespace}`);

const textOf = (objects: ClusterObjects, options: DescribeOptions, clock: Clock): string =>
  describeText(descriptionOf(objects), {
    now: clock.now(),
    showConditions: makeShowConditions(options.showConditions),
    events: options.events,
    paint,
  });

/** Prints the cluster anew whenever it changes, on a terminal in place, until Ctrl-C or until it is gone. */
const watch = async (context: Context, name: string, options: DescribeOptions, clock: Clock): Promise<number> => {
  const signal = untilInterrupted();
  const draw = process.stdout.isTTY ? createLogUpdate(process.stdout) : undefined;
  let printed = '';
  while (!signal.aborted) {
    const objects = await readObjects(context.api, { namespace: context.namespace, name });
    if (objects === undefined && printed === '') throw missing(context, name);
    if (objects === undefined) break;
    const text = textOf(objects, options, clock);
    if (draw) draw(text);
    else if (text !== printed) process.stdout.write(printed === '' ? text : `\n${text}`);
    printed = text;
    await clock.sleep(LOOK_MILLISECONDS, signal).catch(() => undefined);
  }
  draw?.done();
  if (!signal.aborted) process.stdout.write(`Cluster ${name} is gone\n`);
  return 0;
};

/** Prints a cluster as a tree, with what is wrong first and its last events. */
export const describeCluster = async (name: string, options: DescribeOptions): Promise<number> => {
  const context = openContext(options);
  if (options.watch) return watch(context, name, options, systemClock);
  const objects = await readObjects(context.api, { namespace: context.namespace, name });
  if (objects === undefined) throw missing(context, name);
  if (options.output === 'json') {
    const { events, ...description } = descriptionOf(objects);
    const shown = options.events === 0 ? [] : events.slice(-options.events);
    process.stdout.write(`${JSON.stringify({ ...description, events: shown }, null, 2)}\n`);
  } else {
    process.stdout.write(textOf(objects, options, systemClock));
  }
  return 0;
};
