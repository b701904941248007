/** Frames of a terminal as an SVG that plays them in a loop, without any script. Pure. */
import type { Frame, Run, Size } from './terminal.ts';

const CELL = { width: 8, height: 17 } as const;
const MARGIN = 12;
const BASELINE = 13;

/** Black, red, green, yellow, blue, magenta, cyan, white on a dark background. */
const COLORS = ['#6b7681', '#ff8a80', '#6fd08f', '#f0b95b', '#7db7ff', '#d6a3f5', '#6fd3dd', '#e6eaee'];

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const classOf = ({ color, isBold, isDim }: Run): string => {
  const classes = [...(color === undefined ? [] : [`c${color}`]), ...(isBold ? ['b'] : []), ...(isDim ? ['d'] : [])];
  return classes.length === 0 ? '' : ` class="${classes.join(' ')}"`;
};

/** Fonts differ in the width of some characters, so each run is given the width of its cells. */
const runText = (run: Run): string =>
  `<tspan x="${run.column * CELL.width}" textLength="${run.width * CELL.width}"${classOf(run)}>${escaped(run.text)}</tspan>`;

const lineText = (line: readonly Run[]): string => `<text>${line.map(runText).join('')}</text>`;

const style = (percents: readonly number[], seconds: number, height: number): string => {
  const steps = percents.map((percent, index) => `${percent}%{transform:translateY(-${index * height}px)}`).join('');
  return [
    'text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#e6eaee;white-space:pre}',
    ...COLORS.map((color, index) => `.c${index}{fill:${color}}`),
    '.b{font-weight:700}.d{fill:#8d98a3}',
    `#film{animation:play ${seconds}s steps(1,end) infinite}@keyframes play{${steps}}`,
    // With reduced motion, the last frame is shown.
    `@media(prefers-reduced-motion:reduce){#film{animation:none;transform:translateY(-${(percents.length - 1) * height}px)}}`,
  ].join('');
};

export interface AnimationOptions {
  size: Size;
  /** The alternative text of the picture. */
  title: string;
  /** The seconds for which the last frame stays. */
  hold: number;
}

/** The animation. Each distinct line is in it once, however many frames show it. Throws if there are no frames. */
export const animationOf = (frames: readonly Frame[], { size, title, hold }: AnimationOptions): string => {
  const last = frames.at(-1);
  if (last === undefined) throw new Error('the recording has no frames');
  const width = size.columns * CELL.width + 2 * MARGIN;
  const height = size.rows * CELL.height + 2 * MARGIN;
  const seconds = Math.round((last.at + hold) * 100) / 100;
  const ids = new Map<string, string>();
  const idOf = (line: readonly Run[]): string => {
    const text = lineText(line);
    const id = ids.get(text) ?? `l${ids.size.toString(36)}`;
    ids.set(text, id);
    return id;
  };
  const pictures = frames.map(({ lines }, index) => {
    const used = lines.flatMap((line, row) =>
      line.length === 0 ? [] : [`<use href="#${idOf(line)}" y="${row * CELL.height + BASELINE}"/>`],
    );
    return `<g transform="translate(${MARGIN} ${index * height + MARGIN})">${used.join('')}</g>`;
  });
  const percents = frames.map(({ at }, index) => (index === 0 ? 0 : Math.round((at / seconds) * 1e5) / 1e3));
  const definitions = [...ids].map(([text, id]) => text.replace('<text>', `<text id="${id}">`));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${style(percents, seconds, height)}</style>`,
    `<defs>${definitions.join('')}</defs>`,
    `<rect width="${width}" height="${height}" rx="8" fill="#12161a"/>`,
    `<g id="film">${pictures.join('')}</g>`,
    '</svg>',
    '',
  ].join('\n');
};
