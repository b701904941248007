/** Generates `docs/emulators.md` from the suite's recorded answers. */
import { MINISTACK as MINISTACK_PACKAGE, MOTO } from '../../../infra/cli/conformance/emulators.ts';
import { GAPS } from '../deploy/completions.ts';
import { COMPLETIONS } from './completions.ts';
import { KNOWN_DIFFERENCES, KNOWN_ERRORS, KNOWN_REMAINS } from './known-differences.ts';
import type { Answers } from './wire/answer.ts';
import { ANSWERS } from './wire/answers.ts';
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

/** The text of the page. */
export const emulatorsPage = (): string => {
  const agreed = Object.values(ANSWERS).filter((answers) => typeof answers === 'string').length;
  return `# Other implementations of AWS

<!-- written by \`npm run conformance -- aws/wire -u\` -->

\`npm run conformance -- aws\` compares the simulated AWS of local mode with two independent implementations, which it installs into \`~/.cache/windlass\`: [moto](https://github.com/getmoto/moto) ${MOTO.version} and [ministack](https://pypi.org/project/ministack/) ${MINISTACK_PACKAGE.version}. Neither is AWS: if they differ from each other, or accept what AWS refuses, AWS's own reference decides. If neither agrees with ours, ours is corrected, or the table cites the place in that reference that supports it.

\`npm start -- --aws URL\` runs local mode on top of either. Machines and the connections of load balancers still come from local mode, because neither has them: see [what it simulates](../infra/local/SUPPORT.md#another-endpoint).

## Gaps, and what the suite does instead

| emulator | missing | instead |
|---|---|---|
${completions().join('\n')}
| moto | Show the images that the AWS provider publishes (its own list has none) | The suite's image is in the file that MOTO_AMIS_PATH names |
${withoutAnswer().join('\n')}

Each row is backed by a recorded answer, and the suite fails as soon as an emulator answers like AWS.

## The resources of a cluster

\`npm run conformance -- aws/clusters\` creates a cluster of one control plane machine and one worker in three zones on each, scales it to two workers and back, and deletes it. After each step the VPC, subnets, route tables, gateways, addresses, security groups with their rules, instances with their volumes and user data, the load balancer with its listener, target group and targets, and the secrets equal those of the same cluster in the simulated account, apart from random names, ids and these differences (as patterns of the suite's lines):

| emulator | only in ours | only in the emulator | because |
|---|---|---|---|
${differences().join('\n')}

After the cluster is deleted, these remain:

${remains().join('\n')}

## A deployed stack

\`npm run conformance -- deploy\` runs the commands of [deploy.md](deploy.md), from \`cdk bootstrap\` to \`cdk destroy\`, into an empty account of ministack: its CloudFormation creates every resource of the stack, its API Gateway, Step Functions and Lambda run the functions as deployed, and kubectl connects with the address and the token of the kubeconfig. moto runs functions only in Docker. ministack lacks:

| missing | instead |
|---|---|
${gaps().join('\n')}
| Run a streaming function, or forward its output before it ends | The suite loads these functions as ones that do not stream; a watch ends after three seconds |
| Boot machines | Nothing: the suites of local mode cover everything that needs a node |
| Keep the other resources if one cannot be deleted | Nothing: [the guard](deploy.md#removing-windlass) is called separately |
| Verify signatures and policies | Nothing: [the permissions suite](security.md) does, for the same template |

## Answers compared

The same ${QUESTIONS.length} calls are sent to all three, each after the resources that it needs were created. The answers to ${agreed} of them agree; the others are listed here. \`… fails: …\` means that a call before the one in question failed. The suite fails when an answer changes.

| call | request | ours | moto | ministack | why ours is kept |
|---|---|---|---|---|---|
${differing().join('\n')}
`;
};
