import chalk from 'chalk';
import type { Paint, Style } from './render.ts';

const STYLES: Readonly<Record<Style, (text: string) => string>> = {
  done: chalk.green,
  busy: chalk.cyan,
  failed: chalk.red,
  dim: chalk.dim,
  bold: chalk.bold,
  plain: (text) => text,
};

/** Colors text for a terminal; leaves it unchanged on a pipe and with NO_COLOR, unless FORCE_COLOR is set. */
export const paint: Paint = (style, text) => (text === '' ? '' : STYLES[style](text));
