import { describe, expect, it } from 'vitest';
import { parseShell } from './shell.ts';

const wordsOf = (script: string): string[] => parseShell(script).map(({ words }) => words.join('|'));

describe('parseShell', () => {
  it('removes quotes and splits at separators', () => {
    expect(wordsOf(`a "b c" 'd "e"' f\\ g; h\\\n i # j\nk"l"m`)).toEqual(['a|b c|d "e"|f g', 'h|i', 'klm']);
  });

  it('records the conditions under which a command runs', () => {
    expect(parseShell('a && b ||\n c; d').map(({ when }) => when)).toEqual(['always', 'success', 'failure', 'always']);
  });

  it('finds commands within control flow', () => {
    expect(wordsOf('if [ -f /x ]; then\n  a\nelse b; fi\nfor i in 1 2; do c "$i"; done\nf() {\n  d\n}\n')).toEqual([
      '[|-f|/x|]',
      'a',
      'b',
      'c|$i',
      'f',
      'd',
    ]);
  });

  it('parses redirections, and finds no commands in a here-document', () => {
    const commands = parseShell('echo x >> /f 2>&1\ncat <<EOF > /g\nkubeadm init\nEOF\nz 2>/dev/null');
    expect(commands.map(({ words }) => words.join(' '))).toEqual(['echo x', 'cat', 'z']);
    expect(commands.map(({ output }) => output)).toEqual([
      { path: '/f', append: true },
      { path: '/g', append: false },
      undefined,
    ]);
  });
});
