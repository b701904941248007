import { importsOf, isTestCode, placeOf, type Source } from './source.ts';

const PROVIDER = /^(?:shared|functions)\/providers\/[^/]+\//;

/** The declarations of all providers' kinds, with their versions, rules and shapes. */
const KINDS = /^shared\/kinds\//;

/** Connects providers and the core: the registry, and the handlers that give functions their ports. */
const COMPOSITION: readonly string[] = [
  'shared/providers/registry.ts',
  'functions/api/app.ts',
  'functions/api/find-affected.ts',
  'functions/api/handler.ts',
  'functions/cluster/workload/handler.ts',
  'functions/drift/handler.ts',
  'functions/events/handler.ts',
  'functions/machine/objects/handler.ts',
];

/** Kinds, plurals, constants and ports of a provider. The environment of the installation itself does not count. */
const NAMES =
  /\b(?:AWS(?:Cluster|Machine|_(?!REGION\b|ENDPOINT_URL))\w*|aws(?:Cluster|Machine)\w*|awsmachines|awsclusters|[Ee]c2[A-Z]\w*)\b/;

/** The text without its comments: these may name a provider as an example. */
const code = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

const namesProvider = (source: Source): string[] => {
  const imported = importsOf(source).filter(({ target }) => PROVIDER.test(target));
  if (imported.length > 0) return imported.map(({ node, target }) => `${placeOf(source, node)}: imports ${target}`);
  const [name] = NAMES.exec(code(source.text)) ?? [];
  return name === undefined ? [] : [`${source.path}: names ${name}`];
};

const isCore = (source: Source): boolean =>
  /^(?:shared|functions)\//.test(source.path) &&
  !PROVIDER.test(source.path) &&
  !KINDS.test(source.path) &&
  !COMPOSITION.includes(source.path) &&
  // A table of all calls to AWS, by any code.
  source.path !== 'shared/aws/mutating-calls.ts' &&
  !isTestCode(source);

/** The places where the core names a provider instead of using the contract (shared/providers/infrastructure.ts). */
export const providerProblems = (source: Source): string[] => (isCore(source) ? namesProvider(source) : []);
