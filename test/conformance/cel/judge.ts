import { execFileSync } from 'node:child_process';
import type { OpenApiSchema } from '../../../shared/kube-api/resource.ts';

/** The program that `npm run conformance` builds; undefined if a test runs without it. */
export const program = process.env.WINDLASS_CEL;

/** The schema of a variable and a value for it. */
export interface Question {
  /** The name of the question in the output of a test. */
  title: string;
  schema: OpenApiSchema;
  value: unknown;
  /** The value before the update. */
  old?: unknown;
}

export interface Fault {
  type: string;
  field: string;
  message: string;
}

export interface Verdict {
  /** The errors in the schema, as a variable of a ClusterClass. */
  class: Fault[];
  /** The errors in the value, as a variable of a Cluster. */
  cluster: Fault[];
  /** The rules at the root of the schema: whether they compile, and their estimated cost. */
  rules: { isWrong: boolean; cost: string; messageCost: string }[];
  /** The cost of the rules that ran; -1 if it exceeds the limit, and 0 if there is an error. */
  spent: number;
}

interface Overload {
  id: string;
  member: boolean;
  takes: string[];
  gives: string;
}

interface Answer extends Pick<Verdict, 'class' | 'cluster' | 'spent'> {
  rules: { fault: string; cost: string; messageCost: string }[];
}

interface Answers {
  verdicts: Verdict[];
  functions: Readonly<Record<string, Overload[]>>;
}

/** The verdicts of Cluster API's own code. */
export const askUpstream = (questions: readonly Question[]): Answers => {
  const options = { input: JSON.stringify({ cases: questions }), maxBuffer: 1024 * 1024 * 1024 };
  const said = JSON.parse(execFileSync(String(program), options).toString()) as {
    answers: Answer[];
    functions: Answers['functions'];
  };
  const verdicts = said.answers.map(({ rules, ...rest }) => ({
    ...rest,
    rules: rules.map(({ fault, cost, messageCost }) => ({ isWrong: fault !== '', cost, messageCost })),
  }));
  return { verdicts, functions: said.functions };
};
