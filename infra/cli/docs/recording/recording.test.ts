import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { animationOf } from './animation.ts';
import { DEMO_RECORDING } from './demo.ts';
import { withoutPauses, withTyping } from './pace.ts';
import { framesOf } from './terminal.ts';

const SIZE = { columns: 20, rows: 3 };

const framesOfTexts = (...texts: readonly string[]) =>
  framesOf(
    texts.map((text, at) => ({ at, text })),
    SIZE,
    0.2,
  );

const words = (lines: readonly (readonly { text: string }[])[]): string[] =>
  lines.map((line) => line.map(({ text }) => text).join('|'));

describe('the frames of a terminal', () => {
  it('are the visible lines, without lines that were overwritten or scrolled off the screen', async () => {
    const frames = await framesOfTexts('one\r\ntwo', '\u001b[1A\u001b[2K\rnew', '\r\n\n\nlast');
    expect(frames.map(({ at, lines }) => [at, words(lines)])).toEqual([
      [0, ['one', 'two', '']],
      [1, ['new', 'two', '']],
      [2, ['two', '', 'last']],
    ]);
  });

  it('keep colors, bold and dim text, and the position of each piece of text', async () => {
    const [frame] = await framesOfTexts('a \u001b[32mb\u001b[39m \u001b[1mc\u001b[22m\u001b[2md');
    const plain = { isBold: false, isDim: false, color: undefined };
    expect(frame?.lines[0]).toEqual([
      { ...plain, column: 0, width: 1, text: 'a' },
      { ...plain, column: 2, width: 1, text: 'b', color: 2 },
      { ...plain, column: 4, width: 1, text: 'c', isBold: true },
      { ...plain, column: 5, width: 1, text: 'd', isDim: true },
    ]);
  });

  it('are skipped if nothing changes, or if the screen is half drawn', async () => {
    expect(await framesOfTexts('same', '', '\r')).toHaveLength(1);
    const chunks = [
      { at: 1, text: 'ha' },
      { at: 1.05, text: 'lf' },
    ];
    expect((await framesOf(chunks, SIZE, 0.2)).map(({ lines }) => words(lines)[0])).toEqual(['half']);
  });
});

it('shortens long pauses, and shows the typed command first', () => {
  const chunks = [
    { at: 5, text: 'a' },
    { at: 5.5, text: 'b' },
    { at: 20, text: 'c' },
  ];
  const paced = withoutPauses(chunks, 1);
  expect(paced.map(({ at }) => at)).toEqual([1, 1.5, 2.5]);
  expect(withTyping('ls', paced, 0.5).map(({ at, text }) => [at, text.trim()])).toEqual([
    [0, '\u001b[32m$\u001b[39m'],
    [0.5, 'l'],
    [1, 's'],
    [1.5, ''],
    [2.5, 'a'],
    [3, 'b'],
    [4, 'c'],
  ]);
});

describe('the animation', () => {
  it('contains each line once, and shows the frames at their times', async () => {
    const svg = animationOf(await framesOfTexts('<one>', '\r\ntwo'), { size: SIZE, title: 'a & b', hold: 3 });
    expect(svg).toContain('<title>a &amp; b</title>');
    expect(svg.match(/&lt;one&gt;/g)).toHaveLength(1);
    expect(svg.match(/href="#l0"/g)).toHaveLength(2);
    expect(svg).toContain('animation:play 4s steps(1,end) infinite');
    expect(svg).toContain('@keyframes play{0%{transform:translateY(-0px)}25%{transform:translateY(-75px)}}');
    expect(svg).not.toContain('<script');
  });

  it('requires at least one frame', () => {
    expect(() => animationOf([], { size: SIZE, title: '', hold: 1 })).toThrow('no frames');
  });
});

it('the recording of the demo is small, ends with success and names no local folder', () => {
  const svg = readFileSync(DEMO_RECORDING, 'utf8');
  expect(svg.length).toBeLessThan(300_000);
  expect(svg).toContain('npm run demo');
  expect(svg).toMatch(/Cluster quickstart is Available after \d+\.\d s/);
  expect(svg).not.toMatch(/\/(?:home|root|tmp|Users|work)\//);
});
