import { describe, expect, it } from 'vitest';
import { proseFiles, proseProblems, proseProblemsOf } from './prose-rules.ts';

describe('prose', () => {
  it('is written in plain English, in documents, messages and comments', () => {
    const files = proseFiles();
    expect(files.length).toBeGreaterThan(1000);
    expect(files.flatMap(proseProblemsOf)).toEqual([]);
  });

  it.each([
    ['They are simulated for good', 'permanently, thoroughly'],
    ['a cluster comes to be', 'comes up'],
    ['Who deploys needs a role', 'Whoever deploys'],
    ['Changed behind our back and set right', 'outside Windlass'],
    ['a plan takes it that machines come up', 'assumes that'],
    ['what somebody changed', 'someone'],
    ['Anybody may read, everybody may watch', 'anyone'],
    ['Secrets are made anew', 'recreate'],
    ['an event tells of it; users are told of it', 'report'],
    ['an object that was passed over', 'skipped'],
    ['until a person mends the Secret', 'fix'],
    ['in the place of its own rules', 'instead of'],
    ['what he may do himself', 'they'],
    ['the value is no URL', 'is not a'],
    ['the sweep passes it over', 'skip'],
    ['EC2 may take the instance back', 'reclaim'],
    ['load balancers come on top', 'is added'],
    ['not run for want of a tool', 'is missing'],
    ['the body has to be an object', 'must be'],
  ])('does not say: %s', (text, instead) => {
    expect(proseProblems('a.md', text).join()).toContain(instead);
  });

  it.each([
    'a good reason, set to right-aligned',
    'It looks afterwards',
    'brought it about the house',
    'A pass over the cluster, with a recommended amendment, tells often',
    'there is no URL',
    'It passes over the cluster. AWS takes a minute, and the node is back',
  ])('may say: %s', (text) => {
    expect(proseProblems('a.md', text)).toEqual([]);
  });
});
