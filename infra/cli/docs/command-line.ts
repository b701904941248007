/** docs/command-line.md, from the commands' own declarations. Pure. */
import type { Command, Option } from 'commander';

/** The start of the page: what a user must know in addition to the options. */
const HEAD = `# The command line

\`npm run docs\` generates this page from the help of the commands. \`windlass COMMAND --help\` shows the same with examples. Defaults are in parentheses or in the last column.

In a checkout, type \`npm run --silent windlass -- COMMAND\`; \`windlass() { npm run --silent windlass -- "$@"; }\` lets you type \`windlass COMMAND\`. Without a checkout, install the package (\`npm pack\` creates its tarball, \`npm install ./windlass-*.tgz\` installs it) and type \`npx --no-install windlass COMMAND\`.

Every command finds its API like kubectl: \`--kubeconfig\`, then \`$KUBECONFIG\`, then the file that \`windlass start\` writes (\`.windlass/kubeconfig\`), then \`~/.kube/config\`. Like kubectl and the AWS CLI, commands use the proxy in \`HTTPS_PROXY\`, except for hosts in \`NO_PROXY\` and for this computer. Output has colours only on a terminal; \`NO_COLOR\` switches them off, \`FORCE_COLOR\` on. With the package, \`source <(windlass complete bash)\` completes commands and options; zsh, fish and PowerShell work too.

## Exit codes

| code | meaning |
|---|---|
| 0 | done; for \`plan\`, nothing is refused |
| 1 | an error, shown as one line on standard error; for \`start --once\`, a cluster is not complete; for \`plan\`, something is refused, or missing in the account; for \`sweep\`, so many instances looked lost that nothing was changed; for \`doctor\`, a check failed |
| 2 | \`plan --detailed-exitcode\` only: something would change |
| 130 | a second Ctrl-C ended the command at once |

If the program that reads the output exits early, as \`head\` does, a command still runs to the end and returns its usual exit code: \`start\` keeps running, and \`logs --follow\` and \`describe --watch\` end with 0.
`;

const escaped = (text: string): string => text.replaceAll('|', '\\|');

const defaultOf = ({ defaultValue, defaultValueDescription, mandatory }: Option): string => {
  if (mandatory) return 'required';
  if (defaultValueDescription !== undefined) return `\`${defaultValueDescription}\``;
  const isEmpty = defaultValue === undefined || defaultValue === false || String(defaultValue) === '';
  return isEmpty ? '' : `\`${String(defaultValue)}\``;
};

const optionRow = (option: Option): string =>
  `| \`${escaped(option.flags)}\` | ${escaped(option.description)} | ${defaultOf(option)} |`;

const argumentsOf = (command: Command): string =>
  command.registeredArguments
    .map((argument) =>
      argument.required ? ` ${argument.name().toUpperCase()}` : ` [${argument.name().toUpperCase()}]`,
    )
    .join('');

const section = (command: Command, path: string): string[] => {
  if (command.commands.length > 0) return command.commands.flatMap((one) => section(one, `${path} ${one.name()}`));
  const { options } = command;
  const description = command.description();
  return [
    `### ${path}${argumentsOf(command)}`,
    '',
    `${description.charAt(0).toUpperCase()}${description.slice(1)}.`,
    '',
    ...(options.length > 0 ? ['| option | meaning | default |', '|---|---|---|', ...options.map(optionRow), ''] : []),
  ];
};

/** The complete page, with the commands in their groups. */
export const commandLinePage = (program: Command): string => {
  const groups = Map.groupBy(program.commands, (command) => command.helpGroup().replace(/:$/, ''));
  const parts = [...groups].flatMap(([group, commands]) => [
    `## ${group}`,
    '',
    ...commands.flatMap((command) => section(command, command.name())),
  ]);
  return `${HEAD}\n${parts.join('\n').trimEnd()}\n`;
};
