/** An error found before the expression runs: cel-go's message, and the offset that it points at. */
export interface Issue {
  at: number;
  message: string;
}

/** The expression cannot be parsed. */
export class SyntaxFault extends Error {
  override readonly name = 'SyntaxFault';
  readonly issue: Issue;
  constructor(at: number, message: string) {
    super(message);
    this.issue = { at, message };
  }
}

const NARROW = { dot: '.', mark: '^' };
/** cel-go marks characters that take more than one byte with full-width signs. */
const WIDE = { dot: '\uff0e', mark: '\uff3e' };

const drawn = (letter: string | undefined) => (letter !== undefined && letter > '\u007f' ? WIDE : NARROW);

const showIssue = (expression: string, { at, message }: Issue): string => {
  const before = expression.slice(0, at).split('\n');
  const column = [...(before.at(-1) ?? '')].length;
  const text = (expression.split('\n')[before.length - 1] ?? '').replaceAll('\t', ' ');
  const letters = [...text];
  const dots = letters.slice(0, column).map((letter) => drawn(letter).dot);
  const mark = `${dots.join('')}${drawn(letters[column]).mark}`;
  return `ERROR: <input>:${before.length}:${column + 1}: ${message}\n | ${text}\n | ${mark}`;
};

/** As in cel-go: each issue repeats its line of the expression. */
const MOST_ISSUES = 100;

/** Returns `ERROR: <input>:1:5: …` with the line and a mark below the position, in order of position. */
export const showIssues = (expression: string, issues: readonly Issue[]): string =>
  issues
    .toSorted((a, b) => a.at - b.at)
    .slice(0, MOST_ISSUES)
    .map((issue) => showIssue(expression, issue))
    .join('\n');
