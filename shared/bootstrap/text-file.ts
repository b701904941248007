/** Text files end with a newline, as Cluster API's block scalars do, so that appended pieces start on a new line. */
export const textFileContent = (content: string): string =>
  content === '' || content.endsWith('\n') ? content : `${content}\n`;
