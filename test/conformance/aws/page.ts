/** `docs/emulators.md`, from what the suite has on record. */
import { MINISTACK as MINISTACK_PACKAGE, MOTO } from '../../../infra/cli/conformance/emulators.ts';
import { COMPLETIONS } from './completions.ts';
import { ANSWERS, type Answers } from './wire/answers.ts';
import { QUESTIONS } from './wire/questions.ts';

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const code = (answer: string): string => (answer === 'ok' ? 'ok' : `\`${answer}\``);

const differing = (): string[] =>
  QUESTIONS.flatMap(({ name, ask }) => {
    const answers = ANSWERS[name];
    if (answers === undefined || typeof answers === 'string') return [];
    const { ours, moto, ministack, because = '' }: Answers = answers;
    return [row([ask.operation, name, code(ours), code(moto), code(ministack), because])];
  });

const completions = (): string[] =>
  Object.entries(COMPLETIONS).flatMap(([emulator, list]) =>
    list.map(({ gap, instead }) => row([emulator, gap, instead])),
  );

/** The whole page. */
export const emulatorsPage = (): string => {
  const agreed = Object.values(ANSWERS).filter((answers) => typeof answers === 'string').length;
  return `# Other implementations of AWS

<!-- written by \`npm run conformance -- aws/wire -u\` -->

\`npm run conformance -- aws\` holds the simulated AWS of the laptop against two independent ones, which it installs into \`~/.cache/windlass\`: [moto](https://github.com/getmoto/moto) ${MOTO.version} and [ministack](https://pypi.org/project/ministack/) ${MINISTACK_PACKAGE.version}. Neither is AWS: where they differ from each other or take what AWS refuses, AWS's own reference decides. What both say against ours is corrected here, or the table says why not.

\`npm start -- --aws URL\` runs the laptop over either. Machines stay ours, and so do the connections of load balancers, for neither has any: see [what the laptop simulates](../infra/local/SUPPORT.md#another-endpoint).

## What they cannot do, and what the suite does instead

| emulator | cannot | instead |
|---|---|---|
${completions().join('\n')}
| moto | Show the images of another account | The suite's image is in the file that MOTO_AMIS_PATH names |
| ministack | Launch an image that somebody registered without Docker | Machines name an image of its own by id, so that nothing is looked up |

## Who says what

The same ${QUESTIONS.length} calls are asked of all three, each after what it needs was made. To ${agreed} they say the same; the others are here. \`… fails: …\` means that a call before the one in question did not succeed. The suite fails when an answer becomes another.

| call | asked for | ours | moto | ministack | ours stays because |
|---|---|---|---|---|---|
${differing().join('\n')}
`;
};
