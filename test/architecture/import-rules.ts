import { type Import, importsOf, isTestCode, placeOf, type Source } from './source.ts';

/** Imports point to the left. */
const LAYERS = ['shared', 'functions', 'infra', 'test'];

const layerOf = (path: string): number => LAYERS.indexOf(path.split('/', 1)[0] ?? '');

/**
 * The inner order of shared/, from the lowest rank to the highest; a folder that is not listed has the highest. Within
 * a rank every import is allowed. The first rank also contains the files outside any folder.
 */
const RANKS: readonly (readonly string[])[] = [['decode', 'aws'], ['kube-api'], ['kinds'], ['bootstrap'], ['plan']];

const rankOf = (path: string): number => {
  const [, folder = '', file] = path.split('/');
  if (file === undefined) return 0;
  const rank = RANKS.findIndex((folders) => folders.includes(folder));
  return rank < 0 ? RANKS.length : rank;
};

/** Packages with which a program calls AWS or a Kubernetes API. */
const SDK = /^@(aws-sdk|aws-crypto|smithy|kubernetes|middy)\//;

/** Names, values of tags and scopes are data; all other code of a provider outside its planners makes calls. */
const DATA = ['shared/providers/aws/tags.ts'];

/** Folders of planners. In a folder of resources, only api.ts of each resource makes calls. */
const PLANNERS = /^shared\/(plan\/|providers\/[^/]+\/(plan|network|load-balancer)\/(?!(.+[/-])?api\.ts$))/;

const KINDS = /^shared\/kinds\//;

/** Modules that make calls, keep state or read the clock. */
const EFFECTS = /^shared\/(store\/|aws\/|providers\/[^/]+\/|clock\.ts|random\.ts)/;

const isPure = (path: string): boolean => KINDS.test(path) || PLANNERS.test(path);

interface Rule {
  /** Files to which the rule applies. */
  within: RegExp | { test(path: string): boolean };
  /** Whether these files must not import it. */
  refuses: (imported: Import) => boolean;
  because: string;
}

const RULES: readonly Rule[] = [
  {
    within: /^shared\/kube-api\//,
    refuses: ({ target }) => /^shared\/(store|kinds|aws|providers|plan|bootstrap|workload)\//.test(target),
    because: 'shared/kube-api knows no storage, no kinds and no AWS',
  },
  {
    within: { test: isPure },
    refuses: ({ target, typeOnly }) => SDK.test(target) && !typeOnly,
    because: 'planners and kinds are pure: they may only import types of an SDK',
  },
  {
    within: PLANNERS,
    refuses: ({ target, typeOnly }) => EFFECTS.test(target) && !isPure(target) && !typeOnly && !DATA.includes(target),
    because: 'a plan is computed from what was read before: no store, no clock, no randomness',
  },
  {
    within: /^functions\//,
    refuses: ({ target, typeOnly, names }) =>
      target.startsWith('@aws-sdk/') && !typeOnly && names.some((name) => name.endsWith('Client')),
    because: 'SDK clients are created in shared/aws only',
  },
  {
    within: /^(shared|functions)\//,
    refuses: ({ target, typeOnly }) => target.startsWith('@kubernetes/') && !typeOnly,
    because: 'the library runs programs that a kubeconfig names: shared/workload is the client of workload clusters',
  },
  {
    within: /^(shared|functions)\//,
    refuses: ({ target }) => /^(aws-cdk-lib|constructs|commander|chalk|log-update|hono)(\/|$)/.test(target),
    because: 'deployed code does not need the tools that deploy it',
  },
  {
    within: /^(shared|functions|infra)\//,
    refuses: ({ target }) => target.startsWith('@cloud-copilot/'),
    because: 'the simulation of IAM is AGPL and only for tests',
  },
];

const layerProblem = (source: Source, { target }: Import): string[] => {
  const [own, other] = [layerOf(source.path), layerOf(target)];
  if (other <= own) return [];
  return [`${LAYERS[own]} must not import ${target}: imports go shared ← functions ← infra ← test`];
};

const isShared = (path: string): boolean => path.startsWith('shared/');

/** Imports of types count as well, because a reader has to know them first. */
const rankProblem = (source: Source, { target }: Import): string[] => {
  if (isTestCode(source) || !isShared(source.path) || !isShared(target) || rankOf(target) <= rankOf(source.path)) {
    return [];
  }
  return [
    `must not import ${target}: within shared/ imports go base ← ${RANKS.slice(1).flat().join(' ← ')} ← all others`,
  ];
};

/** Imports of a file that the rules forbid. For tests, only the order of the layers applies. */
export const importProblems = (source: Source): string[] =>
  importsOf(source).flatMap((imported) => {
    const broken = isTestCode(source)
      ? []
      : RULES.filter(({ within, refuses }) => within.test(source.path) && refuses(imported)).map(
          ({ because }) => `must not import ${imported.target}: ${because}`,
        );
    return [...layerProblem(source, imported), ...rankProblem(source, imported), ...broken].map(
      (problem) => `${placeOf(source, imported.node)}: ${problem}`,
    );
  });
