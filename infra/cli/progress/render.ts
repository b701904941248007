/** Draws the progress of clusters that are being created. Pure: the same view gives the same lines. */
import { type Placed, place } from './strokes.ts';
import type { ClusterView, Mark, Row } from './tree.ts';

export type Style = Mark | 'dim' | 'bold' | 'plain';

/** Colors a text; must not change its width. */
export type Paint = (style: Style, text: string) => string;

export interface Frame {
  columns: number;
  /** The number of lines that fit; if there are more, finished machines are folded. */
  rows: number;
  /** Increases with every frame and turns the spinners. */
  tick: number;
  /** The seconds since the start. */
  seconds: number;
  paint: Paint;
}

const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const MAX_WIDTH = 120;
const TIME_WIDTH = 8;
const MARGIN = 1;
const COLUMN_GAP = 2;

const cut = (text: string, width: number): string => {
  const characters = [...text];
  if (characters.length <= width) return text;
  return width < 1 ? '' : `${characters.slice(0, width - 1).join('')}…`;
};

const widthOf = (text: string): number => [...text].length;

const time = (seconds: number): string => `${seconds.toFixed(1)} s`;

const SIGNS = { done: '✔', failed: '✘' } as const;

const signOf = (mark: Mark, tick: number): string =>
  mark === 'busy' ? (SPINNER[tick % SPINNER.length] ?? '') : SIGNS[mark];

/** A part of a line, which is painted only when its position in the line is known. */
interface Piece {
  style: Style;
  text: string;
}

/** The pieces, padded to `width`. */
const fill = (pieces: readonly Piece[], width: number, paint: Paint): string => {
  const used = pieces.reduce((sum, { text }) => sum + widthOf(text), 0);
  return pieces.map(({ style, text }) => paint(style, text)).join('') + ' '.repeat(Math.max(0, width - used));
};

const MARK_WIDTH = 2;

const nameWidth = ({ node: row, strokes }: Placed<Row>): number =>
  row.mark ? widthOf(strokes) + MARK_WIDTH + widthOf(row.label) : 0;

/** The left column: strokes, mark and name. */
const nameOf = ({ node: { mark, label }, strokes }: Placed<Row>, width: number, tick: number): Piece[] => {
  const before: Piece = { style: 'dim', text: strokes };
  const sign: Piece = { style: mark ?? 'plain', text: mark ? `${signOf(mark, tick)} ` : '' };
  return [before, sign, { style: 'plain', text: cut(label, width - widthOf(strokes) - MARK_WIDTH) }];
};

/** A reason that is cut to less than this is not meaningful. */
const SHORTEST_REASON = 12;

/** The middle column: the current state, and the reason why it is not further. */
const newsOf = ({ mark, state, detail, why }: Row, width: number): Piece[] => {
  const said = cut([state, detail].filter(Boolean).join('  '), width);
  const news: Piece = { style: mark === 'done' ? 'plain' : 'busy', text: said };
  const gap = said === '' ? '' : '  ';
  const room = width - widthOf(said) - gap.length;
  if (why === '' || room < SHORTEST_REASON) return [news];
  return [news, { style: mark === 'failed' ? 'failed' : 'dim', text: `${gap}${cut(why, room)}` }];
};

/** The right column: its duration so far or in total. */
const timeOf = ({ mark, seconds }: Row): Piece => {
  const text = seconds === undefined ? '' : time(seconds).padStart(TIME_WIDTH);
  return { style: mark === 'done' ? 'plain' : 'dim', text };
};

/** A line that only groups other lines has no columns. */
const drawBranch = ({ node: { label, state }, strokes }: Placed<Row>, width: number, paint: Paint): string => {
  const name = cut(label, width - widthOf(strokes));
  const room = width - widthOf(strokes) - widthOf(name) - COLUMN_GAP;
  const count = state === '' || room < 1 ? '' : `${' '.repeat(COLUMN_GAP)}${cut(state, room)}`;
  return paint('dim', strokes) + paint('bold', name) + paint('dim', count);
};

const drawRow = (placed: Placed<Row>, left: number, width: number, { tick, paint }: Frame): string => {
  if (placed.node.mark === undefined) return drawBranch(placed, width, paint);
  const middle = width - left - COLUMN_GAP - TIME_WIDTH;
  const name = fill(nameOf(placed, left, tick), left + COLUMN_GAP, paint);
  const news = fill(newsOf(placed.node, middle), middle, paint);
  return `${name}${news}${fill([timeOf(placed.node)], 0, paint)}`.trimEnd();
};

const drawBar = ({ name, share }: ClusterView, width: number, { seconds, paint }: Frame): string => {
  const percent = `${Math.floor(share * 100)} %`.padStart(6);
  const end = time(seconds).padStart(TIME_WIDTH);
  const title = cut(name, Math.floor(width / 3));
  const length = Math.max(4, width - widthOf(title) - 2 - widthOf(percent) - TIME_WIDTH);
  const full = Math.round(length * share);
  const bar = paint('done', '━'.repeat(full)) + paint('dim', '─'.repeat(length - full));
  return `${paint('bold', title)}  ${bar}${paint('bold', percent)}${end}`;
};

/** Machines that run, folded into one line per owner. */
const fold = (row: Row): Row => {
  const finished = row.children.filter(({ state }) => state === 'Running');
  if (finished.length < 2) return { ...row, children: row.children.map(fold) };
  const others = row.children.filter(({ state }) => state !== 'Running').map(fold);
  const line: Row = {
    mark: 'done',
    label: `${finished.length} machines`,
    state: 'Running',
    detail: '',
    why: '',
    children: [],
  };
  return { ...row, children: [...others, line] };
};

const drawCluster = (view: ClusterView, frame: Frame): string[] => {
  const width = Math.min(frame.columns, MAX_WIDTH) - 2 * MARGIN;
  const placed = place(view.tree);
  const longest = Math.max(...placed.map(nameWidth));
  const left = Math.min(longest, Math.floor(width * 0.55));
  const lines = ['', drawBar(view, width, frame), '', ...placed.map((one) => drawRow(one, left, width, frame))];
  return lines.map((line) => (line === '' ? '' : `${' '.repeat(MARGIN)}${line}`));
};

/**
 * The picture as lines, none wider than `columns` and not more than `rows`. If the tree is too tall, running machines
 * are folded; if that is not enough, the rest is cut off, with a line that says so.
 */
export const render = (views: readonly ClusterView[], frame: Frame): string[] => {
  const full = views.flatMap((view) => drawCluster(view, frame));
  if (full.length <= frame.rows) return full;
  const folded = views.flatMap((view) => drawCluster({ ...view, tree: fold(view.tree) }, frame));
  if (folded.length <= frame.rows) return folded;
  const kept = Math.max(1, frame.rows - 1);
  return [...folded.slice(0, kept), ` … ${folded.length - kept} more lines`];
};
