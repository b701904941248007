import { expect, it } from 'vitest';
import { makeProgram } from './program.ts';

/** The message with which a command line is refused. */
const refusal = async (name: string, ...args: string[]): Promise<string> => {
  const program = makeProgram();
  const command = program.commands.find((one) => one.name() === name);
  let printed = '';
  command?.exitOverride().configureOutput({
    writeErr: (text) => {
      printed += text;
    },
  });
  await expect(program.parseAsync([name, ...args], { from: 'user' })).rejects.toThrow();
  return printed;
};

it('requires files for a plan', async () => {
  expect(await refusal('plan')).toContain("required option '-f, --filename <file>' not specified");
});

it('requires a whole number of lifecycles', async () => {
  expect(await refusal('simulate', '--seeds', '1.5')).toContain('It must be a whole number from 1 to 1000000.');
});

it('shows defaults in the help only if they mean something', () => {
  const help = makeProgram()
    .commands.find((one) => one.name() === 'start')
    ?.helpInformation();
  expect(help).toMatch(/\(default:\s+6444\)/);
  expect(help).not.toMatch(/default:\s+(?:false|\[\])/);
});
