/** What a scenario found, as it is printed and as it stands in RESULTS.md. */
export interface Table {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  /** What must be said with it, a sentence each. */
  notes: readonly string[];
}

/** GitHub's Markdown, aligned so that it reads in a terminal too. */
export function tableText({ title, columns, rows, notes }: Table): string {
  const all = [columns, ...rows];
  const widths = columns.map((_, i) => Math.max(...all.map((row) => (row[i] ?? '').length)));
  const line = (row: readonly string[]): string =>
    `| ${widths.map((width, i) => (i === 0 ? (row[i] ?? '').padEnd(width) : (row[i] ?? '').padStart(width))).join(' | ')} |`;
  const rule = `|${widths.map((width, i) => (i === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  const lines = [`## ${title}`, '', line(columns), rule, ...rows.map(line)];
  if (notes.length > 0) lines.push('', ...notes.map((note) => `- ${note}`));
  return lines.join('\n');
}
