/**
 * Annotations for GitHub's runner, which reads them from stdout. Text from a site is escaped, so that it can neither
 * end a command nor start another.
 */
import type { ReportedFinding } from './reported-finding.js';

const COMMANDS = { critical: 'error', error: 'error', warn: 'warning', info: 'notice' } as const;

export function annotations(list: readonly ReportedFinding[]): string {
  return list
    .map(({ severity, title, text }) => {
      const property = escapeData(title).replaceAll(':', '%3A').replaceAll(',', '%2C');
      return `::${COMMANDS[severity]} title=${property}::${escapeData(text)}\n`;
    })
    .join('');
}

/** An annotation about the run itself. */
export function annotation(severity: ReportedFinding['severity'], text: string): ReportedFinding {
  return { severity, title: 'Sonde', text };
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
