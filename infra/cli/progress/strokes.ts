/** The strokes in front of a tree's lines. */

/** Any object with children of its own type. */
interface Branching<T> {
  readonly children: readonly T[];
}

/** A node with the strokes in front of it: empty for the root. */
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
