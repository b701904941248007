/** `docs/emulators.md`, from what the suite has on record. */
import { MINISTACK as MINISTACK_PACKAGE, MOTO } from '../../../infra/cli/conformance/emulators.ts';
import { GAPS } from '../deploy/completions.ts';
import { COMPLETIONS } from './completions.ts';
import { KNOWN_DIFFERENCES, KNOWN_ERRORS, KNOWN_REMAINS } from './known-differences.ts';
import { ANSWERS, type Answers } from './wire/answers.ts';
import { QUESTIONS } from './wire/questions.ts';
import { REASONS } from './wire/reasons.ts';

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const code = (answer: string): string => (answer === 'ok' ? 'ok' : `\`${answer}\``);

const differing = (): string[] =>
  QUESTIONS.flatMap(({ name, ask }) => {
    const answers = ANSWERS[name];
    if (answers === undefined || typeof answers === 'string') return [];
    const { ours, moto, ministack }: Answers = answers;
    return [row([ask.operation, name, code(ours), code(moto), code(ministack), REASONS[name] ?? ''])];
  });

const differences = (): string[] =>
  Object.entries(KNOWN_DIFFERENCES).flatMap(([emulator, list]) =>
    list.map(({ only, lines, because }) => {
      const pattern = `\`${lines.source.replaceAll('|', '\\|')}\``;
      return row([emulator, only === 'ours' ? pattern : '', only === 'theirs' ? pattern : '', because]);
    }),
  );

const remains = (): string[] =>
  Object.entries(KNOWN_REMAINS).map(([emulator, known]) => `- ${emulator}: ${known?.what ?? 'nothing'}`);

const withoutAnswer = (): string[] =>
  Object.entries(KNOWN_ERRORS).flatMap(([emulator, list]) =>
    list.map(({ gap, instead }) => row([emulator, gap, instead])),
  );

const gaps = (): string[] => GAPS.map(({ gap, instead }) => row([gap, instead]));

const completions = (): string[] =>
  Object.entries(COMPLETIONS).flatMap(([emulator, list]) =>
    list.map(({ gap, instead }) => row([emulator, gap, instead])),
  );

/** The whole page. */
export const emulatorsPage = (): string => {
  const agreed = Object.values(ANSWERS).filter((answers) => typeof answers === 'string').length;
  return `# Other implementations of AWS

<!-- written by \`npm run conformance -- aws/wire -u\` -->

\`npm run conformance -- aws\` holds the simulated AWS of the laptop against two independent ones, which it installs into \`~/.cache/windlass\`: [moto](https://github.com/getmoto/moto) ${MOTO.version} and [ministack](https://pypi.org/project/ministack/) ${MINISTACK_PACKAGE.version}. Neither is AWS: where they differ from each other or take what AWS refuses, AWS's own reference decides. Where neither says what ours says, ours is corrected, or the table names the place in that reference that it stays for.

\`npm start -- --aws URL\` runs the laptop over either. Machines stay ours, and so do the connections of load balancers, for neither has any: see [what the laptop simulates](../infra/local/SUPPORT.md#another-endpoint).

## What they cannot do, and what the suite does instead

| emulator | cannot | instead |
|---|---|---|
${completions().join('\n')}
| moto | Show the images that the AWS provider publishes (its own list holds none) | The suite's image is in the file that MOTO_AMIS_PATH names |
${withoutAnswer().join('\n')}

Each row is held to be true by an answer on record, and the suite fails once an emulator answers as AWS.

## What a cluster is made of there

\`npm run conformance -- aws/clusters\` makes a cluster of one control plane machine and one worker over three zones on each, scales it to two workers and back, and deletes it. After each step the VPC, subnets, route tables, gateways, addresses, security groups with their rules, instances with their volumes and user data, the load balancer with its listener, target group and targets, and the secrets are those of the same cluster in the simulated account, names drawn at random and ids aside, but for these (as patterns of the suite's lines):

| emulator | only in ours | only in the emulator | because |
|---|---|---|---|
${differences().join('\n')}

When the cluster is deleted, there is left of it:

${remains().join('\n')}

## What a deployed stack is there

\`npm run conformance -- deploy\` types what [deploy.md](deploy.md) says, from \`cdk bootstrap\` to \`cdk destroy\`, into an empty account of ministack: its CloudFormation makes every resource of the stack, its API Gateway, Step Functions and Lambda run the functions as they are deployed, and kubectl comes in by the address and the token that the kubeconfig says. moto runs functions in Docker alone. What ministack cannot do of it:

| cannot | instead |
|---|---|
${gaps().join('\n')}
| Run a function that streams, or hand on what it says before its end | The suite loads such functions as ones that answer at once; a watch ends after three seconds |
| Boot machines | Nothing: what begins with a node is told by the suites of the laptop |
| Leave the other resources alone where one refuses to be deleted | Nothing: [the guard](deploy.md#removing-windlass) is asked by itself |
| Verify signatures and policies | Nothing: [the suite of the permissions](security.md) does, against the same template |

## Who says what

The same ${QUESTIONS.length} calls are asked of all three, each after what it needs was made. To ${agreed} they say the same; the others are here. \`… fails: …\` means that a call before the one in question did not succeed. The suite fails when an answer becomes another.

| call | asked for | ours | moto | ministack | ours stays because |
|---|---|---|---|---|---|
${differing().join('\n')}
`;
};
