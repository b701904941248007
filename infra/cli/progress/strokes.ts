/** The strokes that draw a tree before its lines. */

/** Anything with children of its own kind. */
interface Branching<T> {
  readonly children: readonly T[];
}

/** A node with the strokes before it: empty for the root. */
export interface Placed<T> {
  node: T;
  strokes: string;
}

/** All nodes of a tree from top to bottom, each with its strokes. */
export const place = <T extends Branching<T>>(node: T, strokes = '', indent = ''): Placed<T>[] => {
  const last = node.children.length - 1;
  return [
    { node, strokes },
    ...node.children.flatMap((child, index) =>
      place(child, `${indent}${index === last ? '└─ ' : '├─ '}`, `${indent}${index === last ? '   ' : '│  '}`),
    ),
  ];
};
