import type { Machine } from './definition.ts';
import { diagramOf } from './diagram.ts';

const begin = (name: string): string => `<!-- diagram of ${name}: npm run docs draws it from the template -->`;
const END = '<!-- end of diagram -->';

/**
 * The document with the diagrams of the given machines between its markers. Throws if the markers of a machine are
 * missing, and for markers of a machine that does not exist.
 */
export const withDiagrams = (document: string, machines: ReadonlyMap<string, Machine>): string => {
  const named = [...document.matchAll(/<!-- diagram of ([\w-]+):/g)].map(([, name = '']) => name);
  const unknown = named.find((name) => !machines.has(name));
  if (unknown !== undefined) throw new Error(`there is no state machine ${unknown}`);
  return [...machines].reduce((text, [name, machine]) => {
    const from = text.indexOf(begin(name));
    const to = text.indexOf(END, from);
    if (from < 0 || to < 0) throw new Error(`the document has no place for the diagram of ${name}`);
    const diagram = `${begin(name)}\n\n\`\`\`mermaid\n${diagramOf(machine)}\n\`\`\`\n\n`;
    return text.slice(0, from) + diagram + text.slice(to);
  }, document);
};
