import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MUTATING_CALLS } from './mutating-calls.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** AWS names read-only operations with these prefixes. */
const READS = /^(BatchGet|Describe|Get|Head|List|Query|Scan)/;

const IMPORT = /import\s*(?:type\s*)?\{([^}]*)\}\s*from\s*'@aws-sdk\/(?:client|lib)-([\w-]+)'/g;
const COMMAND = /^(\w+)Command(?:\s+as\s+\w+)?$/;

/** The mutating calls whose commands a module imports, as `<client>:<operation>`. */
const callsIn = (text: string): string[] =>
  [...text.matchAll(IMPORT)].flatMap(([, names = '', client]) =>
    names.split(',').flatMap((name) => {
      const [, operation = ''] = COMMAND.exec(name.trim()) ?? [];
      return operation && !READS.test(operation) ? [`${client}:${operation}`] : [];
    }),
  );

const isSource = (file: string): boolean =>
  file.endsWith('.ts') && !file.endsWith('.test.ts') && !/(^|\/)test-[\w-]+\.ts$/.test(file);

/** `<call> <file>` for each import in the deployed code. */
const made = (): string[] =>
  ['shared', 'functions'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter(isSource)
      .map((file) => `${folder}/${file}`)
      .flatMap((file) => callsIn(readFileSync(join(ROOT, file), 'utf8')).map((call) => `${call} ${file}`)),
  );

const listed = (): string[] =>
  MUTATING_CALLS.flatMap(({ calls }) =>
    Object.entries(calls).flatMap(([call, files]) => files.map((file) => `${call} ${file}`)),
  );

describe('the table of mutating calls', () => {
  it('lists every mutating call with each file that makes it, and nothing else', () => {
    expect(listed().sort()).toEqual([...new Set(made())].sort());
  });

  it('is checked against import statements, including renamed imports', () => {
    const text = `import {\n  type EC2Client,\n  DeleteVpcCommand as Gone,\n  DescribeVpcsCommand,\n} from '@aws-sdk/client-ec2';`;
    expect(callsIn(text)).toEqual(['ec2:DeleteVpc']);
    expect(callsIn(`import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';`)).toEqual(['dynamodb:Put']);
  });

  it('is complete: no module imports an AWS client as a namespace or loads one dynamically', () => {
    const whole = /import\s+\*\s+as\s+\w+\s+from\s+'@aws-sdk|import\(\s*'@aws-sdk|require\(\s*'@aws-sdk/;
    const files = ['shared', 'functions'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter(isSource)
        .map((file) => join(ROOT, folder, file)),
    );
    expect(files.filter((file) => whole.test(readFileSync(file, 'utf8')))).toEqual([]);
  });

  it('names only functions that exist', () => {
    const text = ['shared', 'functions']
      .flatMap((folder) =>
        readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
          .filter(isSource)
          .map((file) => join(ROOT, folder, file)),
      )
      .filter((file) => !file.endsWith('mutating-calls.ts'))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    const names = MUTATING_CALLS.flatMap(({ by }) => by.match(/\b[a-z]+[A-Z]\w+\b/g) ?? []);
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
  });
});
