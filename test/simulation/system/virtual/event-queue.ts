/** An item that is due at a certain time. Items with the same time are ordered by when they were added. */
export interface Due {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly sequence: number;
  /** Undefined if the item was cancelled. */
  act: (() => void) | undefined;
}

const isBefore = (a: Due, b: Due): boolean => a.at < b.at || (a.at === b.at && a.sequence < b.sequence);

/** A binary heap of due items. Cancelled items remain until their turn, and are skipped then. */
export const makeEventQueue = () => {
  const heap: Due[] = [];
  let sequence = 0;

  const swap = (a: number, b: number): void => {
    [heap[a], heap[b]] = [heap[b] as Due, heap[a] as Due];
  };
  const rise = (from: number): void => {
    for (let index = from; index > 0; ) {
      const parent = (index - 1) >> 1;
      if (!isBefore(heap[index] as Due, heap[parent] as Due)) return;
      swap(index, parent);
      index = parent;
    }
  };
  const sink = (): void => {
    for (let index = 0; ; ) {
      const children = [2 * index + 1, 2 * index + 2].filter((child) => child < heap.length);
      const first = children.reduce((least, child) => {
        return isBefore(heap[child] as Due, heap[least] as Due) ? child : least;
      }, index);
      if (first === index) return;
      swap(index, first);
      index = first;
    }
  };

  return {
    add: (at: number, act: () => void): Due => {
      sequence += 1;
      const due: Due = { at, sequence, act };
      heap.push(due);
      rise(heap.length - 1);
      return due;
    },
    /** Removes the item that is due first. Undefined if there is none. */
    take: (): Due | undefined => {
      for (;;) {
        const [first] = heap;
        const last = heap.pop();
        if (first === undefined || last === undefined) return undefined;
        if (last !== first) {
          heap[0] = last;
          sink();
        }
        if (first.act !== undefined) return first;
      }
    },
    clear: (): void => void heap.splice(0),
  };
};
