import { madeNothing } from '../../../../shared/aws/errors.ts';
import { type AWSCluster, kinds } from '../../../../shared/kinds/index.ts';
import type { ObjectKey } from '../../../../shared/kube-api/object.ts';
import {
  isFresh,
  newIntent,
  readIntents,
  TURN_ANNOTATION,
  turnOf,
  withIntents,
} from '../../../../shared/providers/aws/network/intents.ts';
import type { NetworkAction } from '../../../../shared/providers/aws/network/model.ts';
import type { Outcome } from '../infrastructure/act.ts';
import type { InfrastructureScope } from '../infrastructure/scope.ts';
import type { NetworkDependencies } from './dependencies.ts';
import { withIntentTag } from './perform.ts';

type Creation = Extract<NetworkAction, { intent: string }>;
type Tokens = Record<string, string>;

const isCreation = (action: NetworkAction): action is Creation => 'intent' in action;

/** The resource that the token of an intent names, if it names one. */
const namedBy = (action: Creation): string | undefined => ('named' in action ? action.named : undefined);

const withAnnotations = (awsCluster: AWSCluster, changes: Record<string, string | undefined>): AWSCluster => ({
  ...awsCluster,
  metadata: { ...awsCluster.metadata, annotations: withIntents(awsCluster.metadata.annotations, changes) },
});

const withTurn = (awsCluster: AWSCluster, turn: string): AWSCluster => ({
  ...awsCluster,
  metadata: {
    ...awsCluster.metadata,
    annotations: { ...awsCluster.metadata.annotations, [TURN_ANNOTATION]: turn },
  },
});

/** The basis of a round's plan; `now` is when it was read. */
interface Looked {
  scope: Pick<InfrastructureScope, 'key' | 'cluster'>;
  pass: string;
  now: Date;
}

/**
 * Marks a change after which other processes must read the network again, while this process's cache stays valid.
 * `mark` records it in the AWSCluster; `follow` must be called when that is stored.
 */
export const makeTurn = (
  { clock, random, networkCache }: Pick<NetworkDependencies, 'clock' | 'random' | 'networkCache'>,
  { scope: { cluster }, pass }: Pick<Looked, 'scope' | 'pass'>,
) => {
  const turn = newIntent(clock.now(), random.uuid().slice(0, 8));
  let before: string | undefined;
  return {
    mark: (current: AWSCluster): AWSCluster => {
      before = turnOf(current.metadata.annotations);
      return withTurn(current, turn);
    },
    follow: (): void => {
      if (before !== undefined) networkCache.follow(cluster.metadata.uid ?? '', `${before} ${pass}`, `${turn} ${pass}`);
    },
  };
};

/**
 * Records the intents of a round in one write and returns the permitted actions: creations only if the recorded token
 * is ours, with the token among their tags. A creation whose intent another run recorded after `looked.now` is left to
 * that run.
 */
export const recordIntents = async (
  deps: NetworkDependencies,
  looked: Looked,
  actions: readonly NetworkAction[],
): Promise<NetworkAction[]> => {
  const { objects, clock, random } = deps;
  const creations = actions.filter(isCreation);
  if (creations.length === 0) return [...actions];
  const now = clock.now();
  const turn = makeTurn(deps, looked);
  const ours: Tokens = Object.fromEntries(
    creations.map((action) => [action.intent, newIntent(now, namedBy(action) ?? random.uuid().slice(0, 8))]),
  );
  const stored = await objects.mutate(kinds.awsCluster, looked.scope.key, (current) => {
    if (current.metadata.deletionTimestamp) return undefined;
    const recorded = readIntents(current.metadata.annotations);
    const free = Object.entries(ours).filter(([intent]) => !isFresh(recorded[intent], looked.now));
    return turn.mark(withAnnotations(current, Object.fromEntries(free)));
  });
  turn.follow();
  const recorded = readIntents(stored?.metadata.annotations);
  return actions.flatMap((action): NetworkAction[] => {
    if (!isCreation(action)) return [action];
    const token = ours[action.intent];
    return token !== undefined && recorded[action.intent] === token ? [withIntentTag(action, token)] : [];
  });
};

/**
 * Withdraws the intents of creations that EC2 refused; otherwise, the next attempt would have to wait until they
 * expire.
 */
export const takeBackIntents = async (
  { objects }: NetworkDependencies,
  key: ObjectKey,
  outcomes: readonly Outcome<NetworkAction>[],
): Promise<void> => {
  const intents = outcomes.flatMap(({ action, error }) =>
    isCreation(action) && madeNothing(error) ? [action.intent] : [],
  );
  if (intents.length === 0) return;
  await objects.mutate(kinds.awsCluster, key, (current) =>
    withAnnotations(current, Object.fromEntries(intents.map((intent) => [intent, undefined]))),
  );
};
