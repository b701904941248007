/** The contents of a terminal while a program runs, as frames of lines. */
import xterm from '@xterm/headless';

/** A piece of a line in one style. */
export interface Run {
  /** The first cell, counted from 0 at the left. */
  column: number;
  /** The width in cells. */
  width: number;
  text: string;
  /** The number of an ANSI color, 0 to 7; undefined for the default color. */
  color?: number;
  isBold: boolean;
  isDim: boolean;
}

export interface Frame {
  /** The time when it appears, in seconds since the start. */
  at: number;
  /** Each line of the terminal, from the top. */
  lines: readonly (readonly Run[])[];
}

/** Output of a program, with its time. */
export interface Chunk {
  /** The seconds since the start. */
  at: number;
  text: string;
}

export interface Size {
  columns: number;
  rows: number;
}

type Line = NonNullable<ReturnType<InstanceType<typeof xterm.Terminal>['buffer']['active']['getLine']>>;

const BASIC_COLORS = 8;

const sameStyle = (a: Run, b: Run): boolean => a.color === b.color && a.isBold === b.isBold && a.isDim === b.isDim;

/** The runs of a line; trailing blanks are left out. */
const runsOf = (line: Line, columns: number): Run[] => {
  const runs: Run[] = [];
  for (let column = 0; column < columns; column += 1) {
    const cell = line.getCell(column);
    const width = cell?.getWidth() ?? 0;
    if (cell === undefined || width === 0) continue;
    const color = cell.isFgPalette() ? cell.getFgColor() % BASIC_COLORS : undefined;
    const run = {
      column,
      width,
      text: cell.getChars() || ' ',
      color,
      isBold: cell.isBold() !== 0,
      isDim: cell.isDim() !== 0,
    };
    const last = runs.at(-1);
    // The style of blanks is invisible, so they are added to the preceding run.
    if (last && (run.text === ' ' || sameStyle(last, run))) {
      last.text += run.text;
      last.width += width;
    } else {
      runs.push(run);
    }
  }
  return runs
    .map((run) => ({
      ...run,
      text: run.text.trimEnd(),
      width: run.width - (run.text.length - run.text.trimEnd().length),
    }))
    .filter(({ text }) => text !== '');
};

/**
 * The frames of a recording, at most one for each `interval` seconds, and only if something has changed. Output is
 * interpreted by xterm.js, as in many terminals.
 */
export const framesOf = async (
  chunks: readonly Chunk[],
  { columns, rows }: Size,
  interval: number,
): Promise<Frame[]> => {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 0 });
  const frames: Frame[] = [];
  const look = (at: number): void => {
    const { active } = terminal.buffer;
    const lines = Array.from({ length: rows }, (_, row) => {
      const line = active.getLine(active.viewportY + row);
      return line ? runsOf(line, columns) : [];
    });
    if (JSON.stringify(frames.at(-1)?.lines) !== JSON.stringify(lines)) frames.push({ at, lines });
  };
  for (const [index, { at, text }] of chunks.entries()) {
    await new Promise<void>((written) => terminal.write(text, written));
    const next = chunks[index + 1]?.at ?? Number.POSITIVE_INFINITY;
    // An update of the screen may consist of several chunks, so the last state of an interval is used.
    if (Math.floor(next / interval) > Math.floor(at / interval)) look(at);
  }
  terminal.dispose();
  return frames;
};
