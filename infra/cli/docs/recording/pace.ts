/** Determines how fast a recording is played. Pure. */
import type { Chunk } from './terminal.ts';

/** Chunks whose pauses are cut to `most` seconds, so that viewers need not wait for a program to start. */
export const withoutPauses = (chunks: readonly Chunk[], most: number): Chunk[] => {
  let cut = 0;
  return chunks.map((chunk, index) => {
    const pause = chunk.at - (chunks[index - 1]?.at ?? 0);
    cut += Math.max(0, pause - most);
    return { ...chunk, at: chunk.at - cut };
  });
};

/** The keys of a command as a user types it at a prompt, followed by the recording. */
export const withTyping = (command: string, chunks: readonly Chunk[], perKey: number): Chunk[] => {
  const keys = [...command].map((text, index) => ({ at: (index + 1) * perKey, text }));
  const end = (keys.length + 1) * perKey;
  const prompt = { at: 0, text: '\u001b[32m$\u001b[39m ' };
  return [prompt, ...keys, { at: end, text: '\r\n' }, ...chunks.map((chunk) => ({ ...chunk, at: chunk.at + end }))];
};
