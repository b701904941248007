/** Text files end with a newline, as with Cluster API's block scalars, so that appended pieces do not run together. */
export const textFileContent = (content: string): string =>
  content === '' || content.endsWith('\n') ? content : `${content}\n`;
