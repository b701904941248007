import { callAll } from '../../../shared/extensions/client.ts';
import type { CallExtension } from '../../../shared/extensions/transport.ts';
import type { ClusterClass } from '../../../shared/kinds/cluster-class/schema.ts';
import { areVariablesKnown } from '../../../shared/kinds/cluster-class/variables/discovered.ts';
import type { Cluster } from '../../../shared/kinds/index.ts';
import { LIFECYCLE_HOOKS } from '../../../shared/plan/hooks/catalog.ts';
import { handlersOf } from '../../../shared/plan/hooks/registrations.ts';
import {
  AnswerNeeded,
  type Knowledge,
  type LifecycleAnswer,
  NO_EXTENSIONS,
  NOTHING_KNOWN,
  type Question,
} from '../../../shared/plan/topology/hooks/knowledge.ts';
import { discoverVariables } from '../../extensions/discover-variables.ts';
import {
  askHandler,
  type ExtensionDependencies,
  type Installed,
  lookUp,
  messageOf,
} from '../../extensions/installed.ts';

const servedOf = ({ registrations, labels }: Installed): Set<string> =>
  new Set(LIFECYCLE_HOOKS.filter((hook) => handlersOf(registrations, hook, labels).length > 0));

/** Passes the requests of one cluster's plans to the extensions. Each run of the plan gets all earlier responses. */
const makeLearner = (deps: ExtensionDependencies, call: CallExtension, cluster: Cluster) => {
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
 * Computes a plan, and recomputes it with each response that it turns out to need (decision 62). A plan without
 * requests costs nothing: the extensions are read when a plan first needs them.
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

/** A class with its variables. Extensions are called only for a class that is new or has changed. */
export const knowVariables = async (deps: ExtensionDependencies, clusterClass: ClusterClass): Promise<ClusterClass> => {
  const { callExtension: call } = deps;
  if (!call || areVariablesKnown(clusterClass)) return clusterClass;
  return discoverVariables(deps, call, await lookUp(deps, call, clusterClass), clusterClass);
};

export type { ExtensionDependencies };
