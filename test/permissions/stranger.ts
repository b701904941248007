/** The same question about a resource that no cluster owns. */
import type { Question } from './requests.ts';

const isTag = (key: string): boolean => /^(aws:RequestTag|[a-z0-9]+:ResourceTag)\/|^aws:TagKeys$/.test(key);

/** The tags that the resource has or will get instead of its ownership tags. */
const FOREIGN = {
  'aws:ResourceTag/Name': 'someone-elses',
  'ec2:ResourceTag/Name': 'someone-elses',
  'aws:RequestTag/Name': 'someone-elses',
  'aws:TagKeys': ['Name'],
};

/** `question` about a resource without our tags, and without a request for them. */
export const withoutOurTags = (question: Question): Question => ({
  ...question,
  context: {
    ...Object.fromEntries(Object.entries(question.context).filter(([key]) => !isTag(key))),
    ...FOREIGN,
  },
});
