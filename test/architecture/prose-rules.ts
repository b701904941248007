import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../infra/cli/paths.ts';

/** Phrases that do not occur in English technical texts, and their replacements. */
const BANNED: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\bfor good\b/i, 'permanently, thoroughly'],
  [/\bcomes? to be\b/i, 'comes up, is created'],
  [/\b(?:is|are|be) had back\b|\bhad back\b/i, 'restored'],
  [/\btells the rest\b/i, 'has the details'],
  [/\bof (?:its|their) own accord\b/i, 'by itself'],
  [/\bWho deploys\b/, 'Whoever deploys'],
  [/\bleaves? checks out\b/i, 'skips checks'],
  [/\bbehind (?:our|its) back\b/i, 'outside Windlass'],
  [/\bset right\b/i, 'repaired'],
  [/\b(?:plan|planner) takes it that\b/i, 'assumes that'],
  [/\bnobody hears\b/i, 'has no recipients'],
  [/\bb(?:ring|rings|rought) about\b/i, 'cause, do'],
  [/\blook(?:s|ed)? after\b/i, 'manage'],
  [/\bsomebody\b/i, 'someone, or name the user or program'],
  [/\banybody\b/i, 'anyone'],
  [/\beverybody\b/i, 'everyone'],
  [/\banew\b/i, 'again, or recreate, rewrite, regenerate'],
  [/\b(?:tell|tells|told) of\b/i, 'report, describe'],
  [/\bhears? of\b|\bheard of\b/i, 'is told about, receives'],
  [/\bwhose it is\b/i, 'its owner, ownership'],
  [/\bfor ever\b/i, 'forever'],
  [/\bpassed over\b/i, 'skipped, ignored'],
  [/\b(?:mend|mends|mended|mending)\b/i, 'fix, repair'],
  [/\bin the place of\b/i, 'instead of, in place of'],
  [/\bgone on with\b/i, 'continued'],
  [/\bput right\b/i, 'corrected, repaired'],
  [/\bas in life\b/i, 'as in reality'],
  [/\bhe (?:has|may|is|does)\b|\bhimself\b/i, 'they, themselves'],
  [
    /(?<!\bthere )\bis no (?:function|object|map|URL|YAML|JSON|duration|role|zone|stack|absolute|readable|public)\b/,
    'is not a',
  ],
  [/\bpass(?:es|ed|ing)? (?:it|them|these|those) over\b/i, 'skip'],
  [/\b(?:EC2|AWS|the cloud)\b[^.|]{0,40}\b(?:take|takes|took|taking|taken)\b[^.|]{0,20}\bback\b/i, 'reclaim, withdraw'],
  [/\b(?:come|comes|came) on top\b/i, 'is not included, is added'],
  [/\bfor want of\b/i, 'because … is missing'],
  [/\bhas to be (?:text|JSON|a list|an object|a Scale)\b/, 'must be'],
  [/\b(?:henceforth|thereof|thereby|heretofore|hitherto)\b/i, 'plain words'],
];

/** Texts for readers; texts of others, and recorded output of programs, are excluded. */
const isProse = (path: string): boolean =>
  /\.(?:md|ts|yaml|yml|json|dot)$/.test(path) &&
  !/(?:^|\/)(?:golden|__snapshots__)\//.test(path) &&
  !/^(?:package|package-lock)\.json$|^test\/architecture\/prose-rules/.test(path);

/** The files of the project that hold prose, relative to its root. */
export const proseFiles = (): string[] =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '' && isProse(path));

/** Phrases of a text that are banned, each with its line and what to write. */
export const proseProblems = (path: string, text: string): string[] =>
  text.split('\n').flatMap((line, index) =>
    BANNED.flatMap(([phrase, instead]) => {
      const [found] = phrase.exec(line) ?? [];
      return found === undefined ? [] : [`${path}:${index + 1}: "${found}"; write: ${instead}`];
    }),
  );

export const proseProblemsOf = (path: string): string[] => proseProblems(path, readFileSync(join(ROOT, path), 'utf8'));
