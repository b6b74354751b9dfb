import { stringify } from 'yaml'
import type { Command, CommandRun } from '../command/command.js'
import type { Format } from '../command/parse.js'
import { type Canvas, render } from './table.js'
import type { View } from './view.js'
import { sanitize } from './width.js'

export interface PrintSettings extends Canvas {
  readonly format: Format
  readonly isTerminal: boolean
  readonly now: Date
  /** What the command was given. */
  readonly options: CommandRun['options']
}

/** The answer of the API as it was asked for; what people are told who see nothing of it goes another way. */
export function formatReply(
  { view, isText }: Pick<Command, 'view' | 'isText'>,
  reply: unknown,
  printing: PrintSettings,
): { text: string; none?: string } {
  if (isText) return { text: plain(String(reply), printing) }
  if (printing.format === 'json') return { text: `${JSON.stringify(reply, null, 2)}\n` }
  if (printing.format === 'yaml') return { text: stringify(reply, { lineWidth: 0 }) }
  const shown = view ? view(reply, printing.now, printing.options) : JSON.stringify(reply, null, 2)
  return { text: render(shown, printing), none: noneOf(shown) }
}

/** One piece of what goes on: a line, or a document of YAML. */
export function formatItem({ line }: Pick<Command, 'line'>, piece: unknown, { format }: PrintSettings): string {
  if (format === 'yaml') return `---\n${stringify(piece, { lineWidth: 0 })}`
  if (format === 'json' || !line) return `${JSON.stringify(piece)}\n`
  return `${sanitize(line(piece))}\n`
}

/** As it came, but for a terminal that might carry out what is in it. */
function plain(text: string, printing: PrintSettings): string {
  const ended = text === '' || text.endsWith('\n') ? text : `${text}\n`
  return printing.isTerminal ? render(ended.replaceAll('\r\n', '\n'), printing) : ended
}

function noneOf(view: View): string | undefined {
  return typeof view === 'object' && 'rows' in view && view.rows.length === 0 ? view.none : undefined
}
