import { ExportedLine } from '@trestle/contracts/accounts/data-export'
import type { ExportSource } from './export-source.js'

/** The ids of these rows are stored without what other replies put before them. */
const PREFIXES: Partial<Record<ExportSource['kind'], string>> = { activity: 'event-', 'security-event': 'security-' }
const HAS_USER_MEMBER: ReadonlySet<ExportSource['kind']> = new Set(['activity', 'security-event'])

/** A row as a line, in the form that the other endpoints give it. What is null is left out. */
export function exportedLine(kind: ExportSource['kind'], row: Readonly<Record<string, unknown>>): string {
  const { id, userId, ...rest } = row
  const named = HAS_USER_MEMBER.has(kind) ? { user: userId } : {}
  const whole = { ...(id !== undefined && { id: `${PREFIXES[kind] ?? ''}${String(id)}` }), ...named, ...rest }
  const present = Object.entries(whole).filter(([, value]) => value !== null)
  const data = Object.fromEntries(present.map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]))
  return lineOf(ExportedLine.parse({ kind, data }))
}

export function lastLine(lines: number): string {
  return lineOf({ kind: 'end', data: { lines } })
}

function lineOf(line: ExportedLine): string {
  return `${JSON.stringify(line)}\n`
}
