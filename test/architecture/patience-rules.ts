import { type Node, placeOf, type Source, walk } from './source.ts';

/** Functions that wait for an event for one second unless given a timeout: a busy computer may take longer. */
const WAITS = ['expect.poll', 'vi.waitFor', 'vi.waitUntil'];

const waitIn = ({ type, callee }: Node): string | undefined => {
  const { object, property } = (callee ?? {}) as Node;
  const name = [object, property].map((node) => String((node as Node | undefined)?.name)).join('.');
  return type === 'CallExpression' && WAITS.includes(name) ? name : undefined;
};

/** The places where a test waits only as long as its library does by default. */
export const patienceProblems = (source: Source): string[] => {
  // Few files wait: the others need not be walked.
  if (!/\b(poll|waitFor|waitUntil)\(/.test(source.text)) return [];
  return [...walk(source.program)].flatMap((node) => {
    const wait = waitIn(node);
    if (wait === undefined || (node.arguments as Node[]).length > 1) return [];
    return `${placeOf(source, node)}: ${wait} waits for one second: pass PATIENCE of shared/test-patience.ts`;
  });
};
