import type { Tags } from '../../tags.ts';
import type { TagReads } from './api.ts';

/** Tags by ARN. Each is requested once, and those of `first` are included in the first request. */
export const makeTags = (elbv2: TagReads, first: readonly string[]) => {
  const known = new Map<string, Tags>();
  return async (arns: readonly string[]): Promise<ReadonlyMap<string, Tags>> => {
    const open = [...new Set([...first, ...arns])].filter((arn) => !known.has(arn));
    if (open.length === 0) return known;
    const found = await elbv2.describeTags(open);
    for (const arn of open) known.set(arn, found.get(arn) ?? {});
    return known;
  };
};
