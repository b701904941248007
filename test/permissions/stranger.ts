/** The same question about something that no cluster owns. */
import type { Question } from './requests.ts';

const isTag = (key: string): boolean => /^(aws:RequestTag|[a-z0-9]+:ResourceTag)\/|^aws:TagKeys$/.test(key);

/** What the resource has, or is to get, instead of its ownership tags. */
const FOREIGN = {
  'aws:ResourceTag/Name': 'someone-elses',
  'ec2:ResourceTag/Name': 'someone-elses',
  'aws:RequestTag/Name': 'someone-elses',
  'aws:TagKeys': ['Name'],
};

/** `question` with a resource that carries no tag of ours, and asking for none. */
export const withoutOurTags = (question: Question): Question => ({
  ...question,
  context: {
    ...Object.fromEntries(Object.entries(question.context).filter(([key]) => !isTag(key))),
    ...FOREIGN,
  },
});
