const GAP = 3;

const widthOf = (text: string): number => [...text].length;

/**
 * Rows as lines with aligned cells, as kubectl prints tables. `header`: the number of title rows; a column that is
 * empty below them is left out.
 */
export const columns = (rows: readonly (readonly string[])[], { header }: { header: 0 | 1 }): string[] => {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, at) => Math.max(...rows.map((row) => widthOf(row[at] ?? ''))));
  const isUsed = widths.map((_, at) => rows.slice(header).some((row) => row[at]));
  return rows.map((row) =>
    row
      .map((cell, at) => (isUsed[at] ? cell + ' '.repeat((widths[at] ?? 0) - widthOf(cell) + GAP) : ''))
      .join('')
      .trimEnd(),
  );
};
