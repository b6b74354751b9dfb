import { Document, visit } from 'yaml'
import type { Command, CommandRun, Format } from '../command/command.js'
import { type Canvas, render } from './table.js'
import type { View } from './view.js'
import { escapeControls, sanitize } from './width.js'

export interface PrintSettings extends Canvas {
  readonly format: Format
  readonly isTerminal: boolean
  readonly now: Date
  /** The options of the command. */
  readonly options: CommandRun['options']
}

/** A reply in the requested format. `none` is for people who get an empty table; it is not data. */
export function formatReply(
  { view, isText }: Pick<Command, 'view' | 'isText'>,
  reply: unknown,
  printing: PrintSettings,
): { text: string; none?: string } {
  if (isText) return { text: plain(String(reply), printing) }
  if (printing.format === 'json') return { text: `${json(reply, 2)}\n` }
  if (printing.format === 'yaml') return { text: yaml(reply) }
  const shown = view ? view(reply, printing.now, printing.options) : json(reply, 2)
  return { text: render(shown, printing), none: noneOf(shown) }
}

/** One item of a stream: a line, or a YAML document. */
export function formatItem({ line }: Pick<Command, 'line'>, item: unknown, { format }: PrintSettings): string {
  if (format === 'yaml') return `---\n${yaml(item)}`
  if (format === 'json' || !line) return `${json(item)}\n`
  return `${sanitize(line(item))}\n`
}

function json(value: unknown, indent?: number): string {
  return escapeControls(JSON.stringify(value, null, indent))
}

function yaml(value: unknown): string {
  const document = new Document(value)
  visit(document, {
    Scalar(_, scalar) {
      // Only double quotes have escapes.
      if (typeof scalar.value === 'string' && escapeControls(scalar.value) !== scalar.value) scalar.type = 'QUOTE_DOUBLE'
    },
  })
  return escapeControls(document.toString({ lineWidth: 0 }))
}

/** Unchanged for a pipe or a file; sanitized for a terminal. */
function plain(text: string, printing: PrintSettings): string {
  const ended = text === '' || text.endsWith('\n') ? text : `${text}\n`
  return printing.isTerminal ? render(ended.replaceAll('\r\n', '\n'), printing) : ended
}

function noneOf(view: View): string | undefined {
  return typeof view === 'object' && 'rows' in view && view.rows.length === 0 ? view.none : undefined
}
