import { importsOf, isTestCode, type Node, placeOf, type Source, walk } from './source.ts';

/**
 * Entry points, and the two modules that provide them with the real clock and the real randomness. The worker thread
 * that runs the functions is an entry point, too: it sets their environment as Lambda does.
 */
const EXEMPT =
  /^shared\/(clock|random)\.ts$|^functions\/(.+\/)?handler\.ts$|^infra\/local\/engines\/lambda\/worker\.ts$/;

const CONCERNED = /^(shared|functions|infra\/local)\//;

/** Members of global objects that return the time, wait, or generate random values. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  Date: ['now'],
  performance: ['now', 'timeOrigin'],
  Math: ['random'],
  crypto: ['randomUUID', 'getRandomValues'],
  process: ['env', 'hrtime', 'uptime'],
  AbortSignal: ['timeout'],
};

const TIMERS = ['setTimeout', 'setInterval', 'setImmediate'];

/**
 * Generators of random values in node:crypto. Keys are made by the injected generators of
 * shared/bootstrap/certificates.
 */
const RANDOM_IMPORTS = ['randomBytes', 'randomUUID', 'randomInt', 'randomFill', 'randomFillSync', 'getRandomValues'];
const TIMER_MODULES = /^(node:)?timers(\/promises)?$/;
const RANDOM_MODULES = /^(uuid|nanoid)$/;

const nameOf = (node: unknown): string | undefined =>
  (node as Node | undefined)?.type === 'Identifier' ? String((node as Node).name) : undefined;

/** `globalThis.Date` and `Date` are the same. */
const globalNameOf = (node: unknown): string | undefined => {
  const { type, object, property } = (node ?? {}) as Node;
  return type === 'MemberExpression' && nameOf(object) === 'globalThis' ? nameOf(property) : nameOf(node);
};

const propertyOf = ({ property, computed }: Node): string | undefined =>
  computed ? String((property as Node).value ?? '') : nameOf(property);

const memberProblem = (node: Node): string | undefined => {
  if (node.type !== 'MemberExpression') return undefined;
  const [object, property] = [globalNameOf(node.object), propertyOf(node)];
  if (object === undefined || property === undefined || !Object.hasOwn(MEMBERS, object)) return undefined;
  return MEMBERS[object]?.includes(property) ? `${object}.${property}` : undefined;
};

/** `new Date()` and `Date()` read the clock; `new Date(value)` does not. */
const dateProblem = ({ type, callee, arguments: values }: Node): string | undefined => {
  if (globalNameOf(callee) !== 'Date') return undefined;
  if (type === 'CallExpression') return 'Date()';
  return type === 'NewExpression' && (values as Node[]).length === 0 ? 'new Date()' : undefined;
};

const timerProblem = ({ type, callee }: Node): string | undefined => {
  const name = type === 'CallExpression' ? globalNameOf(callee) : undefined;
  return name !== undefined && TIMERS.includes(name) ? name : undefined;
};

/** `const { env } = process`, `const { now } = Date`. */
const patternProblem = ({ type, id, init }: Node): string | undefined => {
  const object = type === 'VariableDeclarator' ? globalNameOf(init) : undefined;
  if (object === undefined || !Object.hasOwn(MEMBERS, object) || (id as Node).type !== 'ObjectPattern')
    return undefined;
  const names = ((id as Node).properties as Node[]).map(({ key }) => nameOf(key) ?? '');
  const found = names.find((name) => MEMBERS[object]?.includes(name));
  return found === undefined ? undefined : `${object}.${found}`;
};

const importProblems = (source: Source): { node: Node; found: string }[] =>
  importsOf(source)
    .filter(({ typeOnly }) => !typeOnly)
    .flatMap(({ node, target, names }) => {
      if (TIMER_MODULES.test(target) || RANDOM_MODULES.test(target)) return [{ node, found: target }];
      if (!/^(node:)?crypto$/.test(target)) return [];
      return names.filter((name) => RANDOM_IMPORTS.includes(name)).map((found) => ({ node, found }));
    });

/**
 * The places where a file below the entry points reads the wall clock, a timer, randomness or the environment directly,
 * which would prevent a simulation on virtual time.
 */
export const determinismProblems = (source: Source): string[] => {
  if (!CONCERNED.test(source.path) || EXEMPT.test(source.path) || isTestCode(source)) return [];
  const used = [...walk(source.program)].flatMap((node) => {
    const found = memberProblem(node) ?? dateProblem(node) ?? timerProblem(node) ?? patternProblem(node);
    return found === undefined ? [] : [{ node, found }];
  });
  return [...importProblems(source), ...used].map(
    ({ node, found }) => `${placeOf(source, node)}: uses ${found}: take it from the Clock, Random or config passed in`,
  );
};
