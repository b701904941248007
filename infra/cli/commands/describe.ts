import { createLogUpdate } from 'log-update';
import { type Clock, systemClock } from '../../../shared/clock.ts';
import type { PriceList } from '../../../shared/providers/aws/plan/cost/prices.ts';
import { type Context, type ContextOptions, type Installation, openInstallation } from '../api/kubeconfig-client.ts';
import { makeFindReferred } from '../api/resources.ts';
import { costOf } from '../describe/cost.ts';
import { type ClusterObjects, objectsIn, readObjects } from '../describe/objects.ts';
import { problemsOf } from '../describe/problems.ts';
import { treeOf } from '../describe/rows.ts';
import { makeShowConditions } from '../describe/show-conditions.ts';
import { type Description, describeText } from '../describe/text.ts';
import { topologyOf } from '../describe/topology.ts';
import { readPrices } from '../prices.ts';
import { paint } from '../progress/paint.ts';
import { untilUnread } from './interrupt.ts';

export interface DescribeOptions extends ContextOptions {
  watch: boolean;
  showConditions?: string;
  events: number;
  output: string;
  /** A file of prices. */
  prices?: string;
}

/**
 * The time between two polls of --watch. A poll takes about eight requests: in AWS, an hour of polling costs some cents
 * at list prices, and a month some 30 USD.
 */
const LOOK_MILLISECONDS = { simulated: 2000, aws: 5000 } as const;

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

/** Includes the network and the cost, which change too rarely to be part of a view that is redrawn all the time. */
const wholeDescriptionOf = (objects: ClusterObjects, prices: readonly PriceList[]): Description => ({
  ...descriptionOf(objects),
  topology: topologyOf(objects),
  cost: costOf(objects, prices),
});

const missing = ({ namespace }: Context, name: string): Error =>
  new Error(`there is no Cluster ${name} in namespace ${namespace}`);

const textOf = (description: Description, options: DescribeOptions, clock: Clock): string =>
  describeText(description, {
    now: clock.now(),
    showConditions: makeShowConditions(options.showConditions),
    events: options.events,
    paint,
  });

/** The versions of all objects and events. The text itself also changes with the time, because it contains ages. */
const revisionOf = (found: ClusterObjects): string =>
  [...objectsIn(found), ...found.events].map(({ metadata }) => `${metadata.uid} ${metadata.resourceVersion}`).join();

/** Shows a text in place on a terminal; elsewhere, prints it again with each revision. */
const makeShow = () => {
  const draw = process.stdout.isTTY ? createLogUpdate(process.stdout) : undefined;
  let shown = '';
  return {
    show: (text: string, revision: string): void => {
      if (draw) draw(text);
      else if (revision !== shown) process.stdout.write(shown === '' ? text : `\n${text}`);
      shown = revision;
    },
    hasShown: () => shown !== '',
    done: () => draw?.done(),
  };
};

/**
 * Prints the cluster until Ctrl-C or until it is deleted: in place on a terminal, elsewhere whenever it has changed.
 */
const watch = async (context: Installation, name: string, options: DescribeOptions, clock: Clock): Promise<number> => {
  const signal = untilUnread();
  const { show, hasShown, done } = makeShow();
  const findReferred = makeFindReferred(context.api);
  const pause = context.isSimulated ? LOOK_MILLISECONDS.simulated : LOOK_MILLISECONDS.aws;
  while (!signal.aborted) {
    const objects = await readObjects(context.api, { namespace: context.namespace, name }, findReferred);
    if (objects === undefined && !hasShown()) throw missing(context, name);
    if (objects === undefined) break;
    show(textOf(descriptionOf(objects), options, clock), revisionOf(objects));
    await clock.sleep(pause, signal).catch(() => undefined);
  }
  done();
  if (!signal.aborted) process.stdout.write(`Cluster ${name} is gone\n`);
  return 0;
};

/** Prints a cluster as a tree, with its problems first, its network, its cost and its last events. */
export const describeCluster = async (name: string, options: DescribeOptions): Promise<number> => {
  const context = openInstallation(options);
  const prices = readPrices(options.prices);
  if (options.watch) return watch(context, name, options, systemClock);
  const objects = await readObjects(context.api, { namespace: context.namespace, name });
  if (objects === undefined) throw missing(context, name);
  const whole = wholeDescriptionOf(objects, prices);
  if (options.output === 'json') {
    const { events, ...description } = whole;
    const shown = options.events === 0 ? [] : events.slice(-options.events);
    process.stdout.write(`${JSON.stringify({ ...description, events: shown }, null, 2)}\n`);
  } else {
    process.stdout.write(textOf(whole, options, systemClock));
  }
  return 0;
};
