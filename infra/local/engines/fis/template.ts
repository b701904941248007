/** Experiment templates, with FIS's validation. Unsupported parts are refused with their names. */
import * as z from 'zod';
import { AwsFault, notSimulated } from '../wire/fault.ts';

const SPOT = 'aws:ec2:spot-instance';
const INTERRUPT = 'aws:ec2:send-spot-instance-interruptions';

const target = z.strictObject({
  resourceType: z.literal(SPOT),
  resourceArns: z.array(z.string()).optional(),
  resourceTags: z.record(z.string(), z.string()).optional(),
  selectionMode: z.string().regex(/^(ALL|COUNT\([1-9]\d*\)|PERCENT\((\d{1,2}|100)\))$/),
});

const action = z.strictObject({
  actionId: z.literal(INTERRUPT),
  description: z.string().optional(),
  parameters: z.strictObject({ durationBeforeInterruption: z.string().regex(/^PT([2-9]|1[0-5])M$/) }),
  targets: z.strictObject({ SpotInstances: z.string() }),
});

const template = z.strictObject({
  clientToken: z.string().optional(),
  description: z.string(),
  roleArn: z.string(),
  stopConditions: z.array(z.strictObject({ source: z.literal('none') })),
  targets: z.record(z.string(), target),
  actions: z.record(z.string(), action),
  tags: z.record(z.string(), z.string()).optional(),
});

export type TemplateInput = z.infer<typeof template>;
export type FisTarget = z.infer<typeof target>;
export type FisAction = z.infer<typeof action>;

/** Reads a template. Throws AWS's ValidationException, or an error if a field or value is not simulated. */
export const readTemplate = (body: unknown): TemplateInput => {
  const { data, error } = template.safeParse(body);
  const [issue] = error?.issues ?? [];
  if (issue?.code === 'unrecognized_keys' || issue?.code === 'invalid_value')
    throw notSimulated(`fis: ${issue.path.join('.')}: ${issue.message}`);
  if (!data) throw new AwsFault('ValidationException', `${issue?.path.join('.')}: ${issue?.message}`);
  for (const { targets } of Object.values(data.actions))
    if (!(targets.SpotInstances in data.targets))
      throw new AwsFault('ValidationException', `The target ${targets.SpotInstances} is not defined`);
  return data;
};

/** The minutes of `PT<minutes>M`, in milliseconds. */
export const durationOf = ({ parameters }: FisAction): number =>
  Number(parameters.durationBeforeInterruption.slice(2, -1)) * 60_000;
