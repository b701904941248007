import { type Pipe, parsePipe } from './parse-pipe.ts';
import { type Piece, scan, TemplateError, type Word } from './scan.ts';

export type Node =
  | { text: string }
  | { pipe: Pipe }
  | { branch: 'if' | 'with'; pipe: Pipe; then: Node[]; otherwise: Node[] };

const keywordOf = (words: readonly Word[]): string | undefined =>
  words[0]?.kind === 'name' ? words[0].text : undefined;

const isBranch = (keyword: string | undefined): keyword is 'if' | 'with' => keyword === 'if' || keyword === 'with';

/** What ended a list of nodes: `end`, or `else` with what stands behind it. */
type End = { keyword: 'end' | 'else'; rest: readonly Word[] };

const readNodes = (pieces: Piece[]): { nodes: Node[]; end?: End } => {
  const nodes: Node[] = [];
  for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
    if ('text' in piece) {
      nodes.push(piece);
      continue;
    }
    const keyword = keywordOf(piece.words);
    const rest = piece.words.slice(1);
    if (keyword === 'end' && rest.length > 0) throw new TemplateError('has something behind an end');
    if (keyword === 'end' || keyword === 'else') return { nodes, end: { keyword, rest } };
    nodes.push(isBranch(keyword) ? readBranch(pieces, keyword, rest) : { pipe: parsePipe(piece.words) });
  }
  return { nodes };
};

const readBranch = (pieces: Piece[], branch: 'if' | 'with', condition: readonly Word[]): Node => {
  const pipe = parsePipe(condition);
  const { nodes: then, end } = readNodes(pieces);
  if (!end) throw new TemplateError(`has an ${branch} that does not end`);
  return { branch, pipe, then, otherwise: end.keyword === 'end' ? [] : readElse(pieces, end.rest) };
};

/** What stands behind an else: another condition, which shares the end of the first, or all up to the end. */
const readElse = (pieces: Piece[], words: readonly Word[]): Node[] => {
  const keyword = keywordOf(words);
  if (isBranch(keyword)) return [readBranch(pieces, keyword, words.slice(1))];
  if (words.length > 0) throw new TemplateError('has something behind an else');
  const { nodes, end } = readNodes(pieces);
  if (end?.keyword !== 'end') throw new TemplateError('has an else that does not end');
  return nodes;
};

/** Reads a whole template, also what will not be rendered. Throws TemplateError. */
export const parseTemplate = (template: string): Node[] => {
  const { nodes, end } = readNodes(scan(template));
  if (end) throw new TemplateError(`has an ${end.keyword} that belongs to nothing`);
  return nodes;
};
