import type { Functions } from './functions.ts';
import { isSymbol, type Pipe, parsePipe } from './parse-pipe.ts';
import { type Piece, scan, TemplateError, type Word } from './scan.ts';

/** Assigns the value of a pipeline to variables: one, or up to two with `range`. `declares`: the variables are new. */
export interface Assignment {
  names: string[];
  declares: boolean;
}

export type Branch = 'if' | 'with' | 'range';

export type Node =
  | { text: string }
  | { pipe: Pipe; assigns?: Assignment }
  | { branch: Branch; pipe: Pipe; assigns?: Assignment; then: Node[]; otherwise: Node[] };

const keywordOf = (words: readonly Word[]): string | undefined =>
  words[0]?.kind === 'name' ? words[0].text : undefined;

const isBranch = (keyword: string | undefined): keyword is Branch =>
  keyword === 'if' || keyword === 'with' || keyword === 'range';

/** The action that ends a list of nodes: `end`, or `else` with the rest of its words. */
type End = { keyword: 'end' | 'else'; rest: readonly Word[] };

/** Parses `$a := …`, `$a = …` and, after `range`, `$a, $b := …`. */
const readAction = (words: readonly Word[], functions: Functions): { pipe: Pipe; assigns?: Assignment } => {
  const sign = words.findIndex((word) => isSymbol(word, ':=') || isSymbol(word, '='));
  if (sign < 0) return { pipe: parsePipe(words, functions) };
  const names = words.slice(0, sign).flatMap((word, index) => {
    const isComma = index % 2 === 1 && isSymbol(word, ',');
    if (isComma) return [];
    if (word.kind !== 'variable' || !/^\$\w+$/.test(word.text))
      throw new TemplateError('assigns to something that is not a variable');
    return [word.text.slice(1)];
  });
  const pipe = parsePipe(words.slice(sign + 1), functions);
  return { pipe, assigns: { names, declares: isSymbol(words[sign], ':=') } };
};

/** The remaining input in reverse order, and the number of enclosing branches. */
interface Source {
  pieces: Piece[];
  functions: Functions;
  level: number;
}

/**
 * The maximum nesting of branches, because parsing and rendering are recursive. Each `else if` is nested in the
 * previous one.
 */
const MOST_LEVELS = 200;

const readNodes = (source: Source): { nodes: Node[]; end?: End } => {
  const { pieces, functions } = source;
  const nodes: Node[] = [];
  for (let piece = pieces.pop(); piece !== undefined; piece = pieces.pop()) {
    if ('text' in piece) {
      nodes.push(piece);
      continue;
    }
    const keyword = keywordOf(piece.words);
    const rest = piece.words.slice(1);
    if (keyword === 'end' && rest.length > 0) throw new TemplateError('has something behind an end');
    if (keyword === 'end' || keyword === 'else') return { nodes, end: { keyword, rest } };
    nodes.push(isBranch(keyword) ? readBranch(source, keyword, rest) : readAction(piece.words, functions));
  }
  return { nodes };
};

const readBranch = ({ level, ...source }: Source, branch: Branch, condition: readonly Word[]): Node => {
  if (level === MOST_LEVELS) throw new TemplateError(`has more than ${MOST_LEVELS} branches within each other`);
  const within = { ...source, level: level + 1 };
  const action = readAction(condition, source.functions);
  if ((action.assigns?.names.length ?? 0) > (branch === 'range' ? 2 : 1)) {
    throw new TemplateError('assigns to too many variables');
  }
  const { nodes: then, end } = readNodes(within);
  if (!end) throw new TemplateError(`has an ${branch} that does not end`);
  return { branch, ...action, then, otherwise: end.keyword === 'end' ? [] : readElse(within, end.rest) };
};

/** Parses the rest of an `else`: another condition, which shares the `end` of the first, or nodes up to the `end`. */
const readElse = (source: Source, words: readonly Word[]): Node[] => {
  const keyword = keywordOf(words);
  if (isBranch(keyword) && keyword !== 'range') return [readBranch(source, keyword, words.slice(1))];
  if (words.length > 0) throw new TemplateError('has something behind an else');
  const { nodes, end } = readNodes(source);
  if (end?.keyword !== 'end') throw new TemplateError('has an else that does not end');
  return nodes;
};

/** Parses a whole template, including branches that will not be rendered. Throws TemplateError. */
export const parseTemplate = (template: string, functions: Functions): Node[] => {
  const { nodes, end } = readNodes({ pieces: scan(template).toReversed(), functions, level: 0 });
  if (end) throw new TemplateError(`has an ${end.keyword} that belongs to nothing`);
  return nodes;
};
