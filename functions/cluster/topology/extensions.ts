import type { Clock } from '../../../shared/clock.ts';
import { callAll, callHandler } from '../../../shared/extensions/client.ts';
import type { CallExtension } from '../../../shared/extensions/transport.ts';
import { type Cluster, kinds } from '../../../shared/kinds/index.ts';
import { isEmptySelector } from '../../../shared/kinds/rules/label-selector.ts';
import type { ObjectClient } from '../../../shared/kube-api/client.ts';
import { LIFECYCLE_HOOKS } from '../../../shared/plan/hooks/catalog.ts';
import { ExtensionError, UnansweredError } from '../../../shared/plan/hooks/error.ts';
import {
  handlersOf,
  isFor,
  needsDiscovery,
  type Registration,
  registrationsOf,
} from '../../../shared/plan/hooks/registrations.ts';
import {
  AnswerNeeded,
  type HandlerAnswer,
  type Knowledge,
  type LifecycleAnswer,
  NO_EXTENSIONS,
  NOTHING_KNOWN,
  type Question,
} from '../../../shared/plan/topology/hooks/knowledge.ts';
import { discoverExtension } from '../../extensions/discover.ts';

export interface ExtensionDependencies {
  objects: ObjectClient;
  clock: Clock;
  /** Calls an extension; undefined where the function calls none. */
  callExtension?: CallExtension;
}

/** What the calls of one pass may take together: the step ends before its function does. */
const BUDGET_SECONDS = 75;

const withinBudget = ({ clock }: Pick<ExtensionDependencies, 'clock'>, call: CallExtension): CallExtension => {
  const end = clock.now().getTime() + BUDGET_SECONDS * 1000;
  return async (asked) => {
    const left = Math.floor((end - clock.now().getTime()) / 1000);
    if (left < 1) throw new UnansweredError(`the calls of this pass took ${BUDGET_SECONDS} seconds; it is tried again`);
    return call({ ...asked, timeoutSeconds: Math.min(asked.timeoutSeconds, left) });
  };
};

interface Installed {
  registrations: Registration[];
  /** Labels of the namespace of the cluster; empty where no selector asks for them. */
  labels: Readonly<Record<string, string>>;
}

const lookUp = async (deps: ExtensionDependencies, call: CallExtension, cluster: Cluster): Promise<Installed> => {
  const { objects } = deps;
  const found = await objects.list(kinds.extensionConfig);
  const configs = await Promise.all(
    found.map((config) => (needsDiscovery(config) ? discoverExtension(deps, call, config) : config)),
  );
  const areSelected = configs.some(({ spec }) => !isEmptySelector(spec.namespaceSelector ?? {}));
  const name = cluster.metadata.namespace ?? '';
  const namespace = areSelected ? await objects.get(kinds.namespace, { namespace: '', name }) : undefined;
  return { registrations: registrationsOf(configs), labels: namespace?.metadata.labels ?? {} };
};

const messageOf = (error: unknown): { error: string } => {
  if (error instanceof ExtensionError) return { error: error.message };
  throw error;
};

/** The handler that a class names; its absence is upstream's error. */
const askHandler = async (
  call: CallExtension,
  { registrations, labels }: Installed,
  { hook, handler, body }: Extract<Question, { ask: 'handler' }>,
  cluster: Cluster,
): Promise<HandlerAnswer> => {
  const what = `failed to call extension handler "${handler}"`;
  const found = registrations.find(({ name }) => name === handler);
  if (!found) {
    const why = `failed to get extension handler "${handler}" from registry: handler with name "${handler}" has not been registered`;
    return { error: `${what}: ${why}` };
  }
  if (found.hook !== hook) return { error: `${what}: handler does not match GroupHook "${hook}"` };
  const { namespace, name } = cluster.metadata;
  if (!isFor(found, labels)) return { error: `${what}: namespaceSelector did not match object ${namespace}/${name}` };
  try {
    return { response: await callHandler(call, found, hook, body) };
  } catch (error) {
    return messageOf(error);
  }
};

const servedOf = ({ registrations, labels }: Installed): Set<string> =>
  new Set(LIFECYCLE_HOOKS.filter((hook) => handlersOf(registrations, hook, labels).length > 0));

/** Puts the questions of the plans of one cluster to the extensions. Each try of a plan has the knowledge of all before it. */
const makeLearner = (deps: ExtensionDependencies, callExtension: CallExtension, cluster: Cluster) => {
  const call = withinBudget(deps, callExtension);
  let installed: Promise<Installed> | undefined;
  const look = (): Promise<Installed> => {
    installed ??= lookUp(deps, call, cluster);
    return installed;
  };
  return async (known: Knowledge, question: Question): Promise<Knowledge> => {
    const found = await look();
    switch (question.ask) {
      case 'extensions':
        return { ...known, served: servedOf(found), isEnabled: found.registrations.length > 0 };
      case 'lifecycle': {
        const { hook, body } = question;
        const handlers = handlersOf(found.registrations, hook, found.labels);
        const answer: LifecycleAnswer = await callAll(call, handlers, hook, body).catch(messageOf);
        return { ...known, lifecycle: new Map([...known.lifecycle, [hook, answer]]) };
      }
      case 'handler': {
        const answer = await askHandler(call, found, question, cluster);
        return { ...known, handlers: new Map([...known.handlers, [question.key, answer]]) };
      }
    }
  };
};

/**
 * Makes a plan, and makes it again with each answer that it turns out to need (decision 62). A plan that asks nothing
 * costs nothing: the extensions are read when the first plan asks for them.
 */
export const planWithAnswers = async <T>(
  deps: ExtensionDependencies,
  cluster: Cluster,
  plan: (known: Knowledge) => T,
): Promise<T> => {
  if (!deps.callExtension) return plan(NO_EXTENSIONS);
  const learn = makeLearner(deps, deps.callExtension, cluster);
  let known = NOTHING_KNOWN;
  for (;;) {
    try {
      return plan(known);
    } catch (error) {
      if (!(error instanceof AnswerNeeded)) throw error;
      known = await learn(known, error.question);
    }
  }
};
